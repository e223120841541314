-- name: merge_records
-- Merges the staged records of one type into its table. Of several records with the same {key}, only the
-- last is stored. Rows that would not change are not rewritten. Inserts into
-- source_changes how many records of each source, or chat, had each outcome.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
-- Row: (created, updated, unchanged, deleted bigint): how many rows had each outcome.
WITH latest AS MATERIALIZED (
    SELECT DISTINCT ON ({identity}) *
    FROM {staging}
    ORDER BY {identity}, sequence DESC
),
{touched}
deleted_rows AS (
    DELETE FROM {table} AS t
    USING latest AS l
    WHERE (SELECT count(*) FROM latest WHERE deleted) > 0
        AND l.deleted
        AND t.organization_id = ANY(%(organization_ids)s)
        AND ({t_identity}) = ({l_identity})
    RETURNING t.organization_id, t.{owner_id}
),
merged AS (
    INSERT INTO {table} AS t ({identity}, {updated})
    SELECT {identity}, {updated} FROM latest WHERE NOT deleted
    ON CONFLICT ({identity}) DO UPDATE SET ({updated}) = ROW ({excluded})
    WHERE ({stored}) IS DISTINCT FROM ({excluded})
    RETURNING {t_identity}, t.{owner_id} AS owner_id, (xmax = 0) AS is_new  -- an update sets xmax
),
{noted}
changed_sources AS (
    INSERT INTO source_changes (organization_id, {owner_id}, created, updated, deleted)
    SELECT
        organization_id, owner_id, count(*) FILTER (WHERE outcome = 'created'),
        count(*) FILTER (WHERE outcome = 'updated'), count(*) FILTER (WHERE outcome = 'deleted')
    FROM (
        SELECT
            organization_id, owner_id, CASE WHEN is_new THEN 'created' ELSE 'updated' END AS outcome
        FROM merged
        WHERE {counted}
        UNION ALL
        SELECT organization_id, {owner_id}, 'deleted' FROM deleted_rows
    ) AS changes
    GROUP BY organization_id, owner_id
)
SELECT
    count(*) FILTER (WHERE is_new) AS created,
    count(*) FILTER (WHERE NOT is_new) AS updated,
    (SELECT count(*) FROM latest WHERE NOT deleted) - count(*) AS unchanged,
    (SELECT count(*) FROM deleted_rows) AS deleted
FROM merged;

-- name: touched_sources_of_type
-- The part of bundle/merge_records that inserts into source_changes the sources of the stored records that
-- are replaced or deleted.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
replaced AS MATERIALIZED (
    SELECT DISTINCT t.organization_id, t.source_id
    FROM {table} AS t
    JOIN latest AS l USING ({identity})
    WHERE t.organization_id = ANY(%(organization_ids)s)
),
touched AS (
    INSERT INTO source_changes (organization_id, source_id)
    SELECT organization_id, source_id FROM replaced
),
-- name: changed_knowledge_of_type
-- The part that inserts the changed knowledge items into changed_knowledge, because they need new search
-- tokens or chunks, and may be held.
changed AS (
    INSERT INTO changed_knowledge (organization_id, id, sequence, has_new_content, is_new_in_source)
    SELECT
        m.organization_id, m.id, l.sequence, c.content_digest IS DISTINCT FROM l.content_digest,
        c.source_id IS DISTINCT FROM m.owner_id
    FROM merged AS m
    JOIN latest AS l ON l.organization_id = m.organization_id AND l.id = m.id
    LEFT JOIN stored_contents AS c ON c.organization_id = m.organization_id AND c.id = m.id
),
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
