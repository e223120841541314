-- name: merge_records
-- Merges the staged records of one type into its table. Of several records with the same
-- {key}, only the last is stored. Rows that would not change are not rewritten.
-- Inserts into touched_sources the sources of the stored records that are replaced or deleted, and into
-- source_changes how many records of each source had each outcome.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
-- Row: (created, updated, unchanged, deleted bigint): how many rows had each outcome.
WITH latest AS MATERIALIZED (
    SELECT DISTINCT ON (organization_id, {key}) *
    FROM {staging}
    ORDER BY organization_id, {key}, sequence DESC
),
replaced AS MATERIALIZED (
    SELECT DISTINCT t.organization_id, t.source_id
    FROM {table} AS t
    JOIN latest AS l USING (organization_id, {key})
    WHERE t.organization_id = ANY(%(organization_ids)s)
),
touched AS (
    INSERT INTO touched_sources (organization_id, source_id)
    SELECT organization_id, source_id FROM replaced
    ON CONFLICT DO NOTHING
),
deleted_rows AS (
    DELETE FROM {table} AS t
    USING latest AS l
    WHERE (SELECT count(*) FROM latest WHERE deleted) > 0
        AND l.deleted
        AND t.organization_id = ANY(%(organization_ids)s)
        AND t.organization_id = l.organization_id
        AND t.{key} = l.{key}
    RETURNING t.organization_id, t.source_id
),
merged AS (
    INSERT INTO {table} AS t (organization_id, {key}, {updated})
    SELECT organization_id, {key}, {updated} FROM latest WHERE NOT deleted
    ON CONFLICT (organization_id, {key}) DO UPDATE SET ({updated}) = ROW ({excluded})
    WHERE ({stored}) IS DISTINCT FROM ({excluded})
    RETURNING t.organization_id, t.source_id, t.{key} AS key, (xmax = 0) AS is_new  -- an update sets xmax
),
{noted}{outcomes}

-- name: changed_knowledge_of_type
-- The part of bundle/merge_records that inserts the changed knowledge items into changed_knowledge, because
-- they need new search tokens or chunks, and may be held.
changed AS (
    INSERT INTO changed_knowledge (organization_id, id, sequence, has_new_content, is_new_in_source)
    SELECT
        m.organization_id, l.id, l.sequence, c.content_digest IS DISTINCT FROM l.content_digest,
        c.source_id IS DISTINCT FROM m.source_id
    FROM merged AS m
    JOIN latest AS l ON l.organization_id = m.organization_id AND l.id = m.key
    LEFT JOIN stored_contents AS c ON c.organization_id = m.organization_id AND c.id = l.id
),

-- name: merge_outcomes_of_type
-- The end of bundle/merge_records and merge_telegram_messages: counts what they merged and deleted, also
-- by source or chat.
-- Row: (created, updated, unchanged, deleted bigint): how many rows had each outcome.
changed_sources AS (
    INSERT INTO source_changes (organization_id, {parent}, created, updated, deleted)
    SELECT
        organization_id, {parent}, count(*) FILTER (WHERE outcome = 'created'),
        count(*) FILTER (WHERE outcome = 'updated'), count(*) FILTER (WHERE outcome = 'deleted')
    FROM (
        SELECT
            organization_id, {parent}, CASE WHEN is_new THEN 'created' ELSE 'updated' END AS outcome
        FROM merged
        WHERE {counted}
        UNION ALL
        SELECT organization_id, {parent}, 'deleted' FROM deleted_rows
    ) AS changes
    GROUP BY organization_id, {parent}
)
SELECT
    count(*) FILTER (WHERE is_new) AS created,
    count(*) FILTER (WHERE NOT is_new) AS updated,
    (SELECT count(*) FROM latest WHERE NOT deleted) - count(*) AS unchanged,
    (SELECT count(*) FROM deleted_rows) AS deleted
FROM merged;

-- name: merge_organizations
-- Merges the staged organizations, members, or sources into the stored ones. If several records have
-- the same {identity}, only the last is stored. Rows that would not change are not rewritten.
-- Does not change what operators decide of sources.
-- Row: (created, updated, unchanged, deleted bigint): how many rows had each outcome.
WITH latest AS MATERIALIZED (
    SELECT DISTINCT ON ({staged_identity}) *
    FROM {staging}
    ORDER BY {staged_identity}, sequence DESC
),
merged AS (
    INSERT INTO {table} AS t ({identity}, {updated})
    SELECT {staged_identity}, {updated} FROM latest
    ON CONFLICT ({identity}) DO UPDATE SET ({updated}) = ROW ({excluded})
    WHERE ({stored}) IS DISTINCT FROM ({excluded})
    RETURNING (xmax = 0) AS is_new  -- an update sets xmax
)
SELECT
    count(*) FILTER (WHERE is_new) AS created,
    count(*) FILTER (WHERE NOT is_new) AS updated,
    (SELECT count(*) FROM latest) - count(*) AS unchanged,
    0::bigint AS deleted
FROM merged;
