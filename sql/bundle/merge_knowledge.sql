-- Merges the staged knowledge items into the stored ones. If several records have the same id, only
-- the last is stored. Rows that would not change are not rewritten. Inserts the items that
-- changed into changed_knowledge, because they need new search tokens or chunks.
-- Inserts into source_changes how many records of each source had each outcome.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
-- Row: (created, updated, unchanged, deleted bigint): how many rows had each outcome.
WITH latest AS MATERIALIZED (
    SELECT DISTINCT ON (organization_id, id) *
    FROM staged_knowledge
    ORDER BY organization_id, id, sequence DESC
),
deleted_rows AS (
    DELETE FROM knowledge AS t
    USING latest AS l
    WHERE l.deleted
        AND t.organization_id = ANY(%(organization_ids)s)
        AND t.organization_id = l.organization_id
        AND t.id = l.id
    RETURNING t.organization_id, t.source_id
),
merged AS (
    INSERT INTO knowledge AS t (
        organization_id, id, source_id, source, title, content_format, visibility, archived,
        source_status, source_label, source_href, created_at, updated_at, preview, content_units,
        content_digest
    )
    SELECT
        l.organization_id, l.id, l.source_id, l.source, l.title, l.content_format, l.visibility,
        l.archived, l.source_status, l.source_label, l.source_href, l.created_at, l.updated_at,
        l.preview, l.content_units, l.content_digest
    FROM latest AS l
    WHERE NOT l.deleted
    ON CONFLICT (organization_id, id) DO UPDATE SET
        source_id = excluded.source_id, source = excluded.source, title = excluded.title,
        content_format = excluded.content_format, visibility = excluded.visibility,
        archived = excluded.archived, source_status = excluded.source_status,
        source_label = excluded.source_label, source_href = excluded.source_href,
        created_at = excluded.created_at, updated_at = excluded.updated_at,
        preview = excluded.preview, content_units = excluded.content_units,
        content_digest = excluded.content_digest
    WHERE
        (
            t.source_id, t.source, t.title, t.content_format, t.visibility, t.archived,
            t.source_status, t.source_label, t.source_href, t.created_at, t.updated_at,
            t.preview, t.content_units, t.content_digest
        ) IS DISTINCT FROM (
            excluded.source_id, excluded.source, excluded.title, excluded.content_format,
            excluded.visibility, excluded.archived, excluded.source_status,
            excluded.source_label, excluded.source_href, excluded.created_at,
            excluded.updated_at, excluded.preview, excluded.content_units,
            excluded.content_digest
        )
    RETURNING t.organization_id, t.source_id, t.id, (xmax = 0) AS is_new  -- an update sets xmax
),
changed AS (
    INSERT INTO changed_knowledge (organization_id, id, has_new_content)
    SELECT m.organization_id, m.id, c.content_digest IS DISTINCT FROM l.content_digest
    FROM merged AS m
    JOIN latest AS l ON l.organization_id = m.organization_id AND l.id = m.id
    LEFT JOIN stored_contents AS c ON c.organization_id = m.organization_id AND c.id = m.id
),
changed_sources AS (
    INSERT INTO source_changes (organization_id, source_id, created, updated, deleted)
    SELECT
        organization_id, source_id, count(*) FILTER (WHERE outcome = 'created'),
        count(*) FILTER (WHERE outcome = 'updated'), count(*) FILTER (WHERE outcome = 'deleted')
    FROM (
        SELECT
            organization_id, source_id, CASE WHEN is_new THEN 'created' ELSE 'updated' END AS outcome
        FROM merged
        UNION ALL
        SELECT organization_id, source_id, 'deleted' FROM deleted_rows
    ) AS changes
    GROUP BY organization_id, source_id
)
SELECT
    count(*) FILTER (WHERE is_new) AS created,
    count(*) FILTER (WHERE NOT is_new) AS updated,
    (SELECT count(*) FROM latest WHERE NOT deleted) - count(*) AS unchanged,
    (SELECT count(*) FROM deleted_rows) AS deleted
FROM merged;
