-- Merges the staged chats into the stored ones. If several records have the same id, only the last
-- is stored. Rows that would not change are not rewritten.
-- Inserts into source_changes how many chats of each source were updated.
-- Parameters: none.
-- Row: (created, updated, unchanged, deleted bigint): how many rows had each outcome.
WITH latest AS MATERIALIZED (
    SELECT DISTINCT ON (organization_id, id) *
    FROM staged_telegram_chats
    ORDER BY organization_id, id, sequence DESC
),
merged AS (
    INSERT INTO telegram_chats AS t (organization_id, source_id, {columns})
    SELECT organization_id, source_id, {columns} FROM latest
    ON CONFLICT (organization_id, id) DO UPDATE SET ({updated}) = ROW ({excluded})
    WHERE ({stored}) IS DISTINCT FROM ({excluded})
    RETURNING t.organization_id, t.source_id, (xmax = 0) AS is_new  -- an update sets xmax
),
changed_sources AS (
    -- The records of a chat's source are its messages, so a new chat counts for none.
    INSERT INTO source_changes (organization_id, source_id, created, updated, deleted)
    SELECT organization_id, source_id, 0, 1, 0
    FROM merged
    WHERE NOT is_new
)
SELECT
    count(*) FILTER (WHERE is_new) AS created,
    count(*) FILTER (WHERE NOT is_new) AS updated,
    (SELECT count(*) FROM latest) - count(*) AS unchanged,
    0::bigint AS deleted
FROM merged;
