-- Merges the staged members into the stored ones. If several records have the same id, only the
-- last is stored. Rows that would not change are not rewritten.
-- Parameters: none.
-- Row: (created, updated, unchanged, deleted bigint): how many rows had each outcome.
WITH latest AS MATERIALIZED (
    SELECT DISTINCT ON (organization_id, user_id) *
    FROM staged_members
    ORDER BY organization_id, user_id, sequence DESC
),
merged AS (
    INSERT INTO members AS t (organization_id, user_id, display_name, role)
    SELECT l.organization_id, l.user_id, l.display_name, l.role
    FROM latest AS l
    ON CONFLICT (organization_id, user_id) DO UPDATE SET
        display_name = excluded.display_name, role = excluded.role
    WHERE
        (
            t.display_name, t.role
        ) IS DISTINCT FROM (
            excluded.display_name, excluded.role
        )
    RETURNING (xmax = 0) AS is_new  -- an update sets xmax
)
SELECT
    count(*) FILTER (WHERE is_new) AS created,
    count(*) FILTER (WHERE NOT is_new) AS updated,
    (SELECT count(*) FROM latest) - count(*) AS unchanged,
    0::bigint AS deleted
FROM merged;
