-- Merges the staged organizations into the stored ones. If several records have the same id, only
-- the last is stored. Rows that would not change are not rewritten.
-- Parameters: none.
-- Row: (created, updated, unchanged, deleted bigint): how many rows had each outcome.
WITH latest AS MATERIALIZED (
    SELECT DISTINCT ON (organization_id) *
    FROM staged_organizations
    ORDER BY organization_id, sequence DESC
),
merged AS (
    INSERT INTO organizations AS t (
        organization_id, display_name, slug, created_at, updated_at, plan, verified_holding,
        preview
    )
    SELECT
        l.organization_id, l.display_name, l.slug, l.created_at, l.updated_at, l.plan,
        l.verified_holding, l.preview
    FROM latest AS l
    ON CONFLICT (organization_id) DO UPDATE SET
        display_name = excluded.display_name, slug = excluded.slug,
        created_at = excluded.created_at, updated_at = excluded.updated_at, plan = excluded.plan,
        verified_holding = excluded.verified_holding, preview = excluded.preview
    WHERE
        (
            t.display_name, t.slug, t.created_at, t.updated_at, t.plan, t.verified_holding,
            t.preview
        ) IS DISTINCT FROM (
            excluded.display_name, excluded.slug, excluded.created_at, excluded.updated_at,
            excluded.plan, excluded.verified_holding, excluded.preview
        )
    RETURNING (xmax = 0) AS is_new  -- an update sets xmax
)
SELECT
    count(*) FILTER (WHERE is_new) AS created,
    count(*) FILTER (WHERE NOT is_new) AS updated,
    (SELECT count(*) FROM latest) - count(*) AS unchanged,
    0::bigint AS deleted
FROM merged;
