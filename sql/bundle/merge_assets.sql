-- Merges the staged assets into the stored ones. If several records have the same id, only the last
-- is stored. Rows that would not change are not rewritten.
-- Inserts into source_changes how many records of each source had each outcome.
-- Parameters: none.
-- Row: (created, updated, unchanged, deleted bigint): how many rows had each outcome.
WITH latest AS MATERIALIZED (
    SELECT DISTINCT ON (organization_id, id) *
    FROM staged_assets
    ORDER BY organization_id, id, sequence DESC
),
merged AS (
    INSERT INTO assets AS t (
        organization_id, id, source_id, parent_id, kind, name, mime, bytes, public, public_url,
        uploaded_by_id, uploaded_by_name, created_at, updated_at
    )
    SELECT
        l.organization_id, l.id, l.source_id, l.parent_id, l.kind, l.name, l.mime, l.bytes,
        l.public, l.public_url, l.uploaded_by_id, l.uploaded_by_name, l.created_at, l.updated_at
    FROM latest AS l
    ON CONFLICT (organization_id, id) DO UPDATE SET
        source_id = excluded.source_id, parent_id = excluded.parent_id, kind = excluded.kind,
        name = excluded.name, mime = excluded.mime, bytes = excluded.bytes,
        public = excluded.public, public_url = excluded.public_url,
        uploaded_by_id = excluded.uploaded_by_id, uploaded_by_name = excluded.uploaded_by_name,
        created_at = excluded.created_at, updated_at = excluded.updated_at
    WHERE
        (
            t.source_id, t.parent_id, t.kind, t.name, t.mime, t.bytes, t.public, t.public_url,
            t.uploaded_by_id, t.uploaded_by_name, t.created_at, t.updated_at
        ) IS DISTINCT FROM (
            excluded.source_id, excluded.parent_id, excluded.kind, excluded.name, excluded.mime,
            excluded.bytes, excluded.public, excluded.public_url, excluded.uploaded_by_id,
            excluded.uploaded_by_name, excluded.created_at, excluded.updated_at
        )
    RETURNING t.organization_id, t.source_id, (xmax = 0) AS is_new  -- an update sets xmax
),
changed_sources AS (
    INSERT INTO source_changes (organization_id, source_id, created, updated, deleted)
    SELECT
        organization_id, source_id, count(*) FILTER (WHERE is_new),
        count(*) FILTER (WHERE NOT is_new), 0
    FROM merged
    GROUP BY organization_id, source_id
)
SELECT
    count(*) FILTER (WHERE is_new) AS created,
    count(*) FILTER (WHERE NOT is_new) AS updated,
    (SELECT count(*) FROM latest) - count(*) AS unchanged,
    0::bigint AS deleted
FROM merged;
