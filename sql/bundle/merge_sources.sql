-- Merges the staged sources into the stored ones. If several records have the same id, only the
-- last is stored. Rows that would not change are not rewritten.
-- Does not change `included` and `external`, because only operators decide them.
-- Parameters: none.
-- Row: (created, updated, unchanged, deleted bigint): how many rows had each outcome.
WITH latest AS MATERIALIZED (
    SELECT DISTINCT ON (organization_id, source_id) *
    FROM staged_sources
    ORDER BY organization_id, source_id, sequence DESC
),
merged AS (
    INSERT INTO sources AS t (
        organization_id, id, kind, label, description, href, status, updated_at,
        stale_after_seconds, account
    )
    SELECT
        l.organization_id, l.source_id, l.kind, l.label, l.description, l.href, l.status,
        l.updated_at, l.stale_after_seconds, l.account
    FROM latest AS l
    ON CONFLICT (organization_id, id) DO UPDATE SET
        kind = excluded.kind, label = excluded.label, description = excluded.description,
        href = excluded.href, status = excluded.status, updated_at = excluded.updated_at,
        stale_after_seconds = excluded.stale_after_seconds, account = excluded.account
    WHERE
        (
            t.kind, t.label, t.description, t.href, t.status, t.updated_at,
            t.stale_after_seconds, t.account
        ) IS DISTINCT FROM (
            excluded.kind, excluded.label, excluded.description, excluded.href, excluded.status,
            excluded.updated_at, excluded.stale_after_seconds, excluded.account
        )
    RETURNING (xmax = 0) AS is_new  -- an update sets xmax
)
SELECT
    count(*) FILTER (WHERE is_new) AS created,
    count(*) FILTER (WHERE NOT is_new) AS updated,
    (SELECT count(*) FROM latest) - count(*) AS unchanged,
    0::bigint AS deleted
FROM merged;
