-- Merges a batch of staged messages into the stored ones. If several records have the same id, only
-- the last is stored. Rows that would not change are not rewritten.
-- Inserts into message_counts the change of each chat's number of messages.
-- Inserts into source_changes how many records of each chat had each outcome.
-- Parameters: organization_ids uuid[]: all organizations of the stream; after_organization_id and
-- last_organization_id uuid, after_chat_id and last_chat_id uuid, after_id and last_id integer: a row
-- of batch_telegram_messages.
-- Row: (created, updated, unchanged, deleted bigint): how many rows had each outcome.
WITH latest AS MATERIALIZED (
    SELECT DISTINCT ON (organization_id, chat_id, id) *
    FROM staged_telegram_messages
    WHERE (organization_id, chat_id, id)
            > (%(after_organization_id)s, %(after_chat_id)s, %(after_id)s)
        AND (organization_id, chat_id, id)
            <= (%(last_organization_id)s, %(last_chat_id)s, %(last_id)s)
    ORDER BY organization_id, chat_id, id, sequence DESC
),
deleted_rows AS (
    DELETE FROM telegram_messages AS t
    USING latest AS l
    WHERE (SELECT count(*) FROM latest WHERE deleted) > 0
        AND l.deleted
        AND t.organization_id = ANY(%(organization_ids)s)
        AND t.organization_id = l.organization_id
        AND t.chat_id = l.chat_id
        AND t.id = l.id
    RETURNING t.organization_id, t.chat_id
),
merged AS (
    INSERT INTO telegram_messages AS t (organization_id, {columns})
    SELECT organization_id, {columns} FROM latest WHERE NOT deleted
    ON CONFLICT (organization_id, chat_id, id) DO UPDATE SET ({updated}) = ROW ({excluded})
    WHERE ({stored}) IS DISTINCT FROM ({excluded})
    RETURNING t.organization_id, t.chat_id, (xmax = 0) AS is_new  -- an update sets xmax
),
counted AS (
    INSERT INTO message_counts (organization_id, chat_id, change)
    SELECT organization_id, chat_id, sum(change)
    FROM (
        SELECT organization_id, chat_id, 1 AS change FROM merged WHERE is_new
        UNION ALL
        SELECT organization_id, chat_id, -1 FROM deleted_rows
    ) AS changes
    GROUP BY organization_id, chat_id
),
{outcomes}
