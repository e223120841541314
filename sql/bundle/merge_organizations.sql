-- Merges the staged organizations, or members, into the stored ones. If several records have the same
-- {identity}, only the last is stored. Rows that would not change are not rewritten.
-- Parameters: none.
-- Row: (created, updated, unchanged, deleted bigint): how many rows had each outcome.
WITH latest AS MATERIALIZED (
    SELECT DISTINCT ON ({identity}) *
    FROM {staging}
    ORDER BY {identity}, sequence DESC
),
merged AS (
    INSERT INTO {table} AS t (organization_id, {columns})
    SELECT organization_id, {columns} FROM latest
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
