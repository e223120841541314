-- Lists the newest messages of one sender in one chat with ids less than `before`. Reads
-- recent_limit messages of the chat first, which is enough for a sender who writes often; the index
-- finds the messages of others.
-- Parameters: as list_telegram_messages; sender_id text; recent_limit bigint: how many messages are
--   read first.
-- Rows: as list_telegram_messages.
-- Index: telegram_chats_pkey; telegram_messages_pkey, scanned backward from `before`;
--   telegram_messages_by_sender.
WITH {chat},
recent AS MATERIALIZED (
    SELECT r.id FROM (
        SELECT m.id, m.sender_id FROM telegram_messages AS m
        WHERE m.organization_id = %(organization_id)s
            AND m.chat_id = (SELECT id FROM chat)
            AND m.id < %(before)s::bigint
        ORDER BY m.id DESC
        LIMIT %(recent_limit)s::bigint
    ) AS r
    WHERE r.sender_id = %(sender_id)s
    ORDER BY r.id DESC
    LIMIT %(row_limit)s
),
other AS (
    SELECT o.id FROM (
        SELECT m.id FROM telegram_messages AS m
        WHERE m.organization_id = %(organization_id)s
            AND m.chat_id = (SELECT id FROM chat)
            AND m.sender_id = %(sender_id)s
            AND (SELECT count(*) FROM recent) < %(row_limit)s
        OFFSET 0
    ) AS o
    WHERE o.id < %(before)s::bigint
    ORDER BY o.id DESC
    LIMIT %(row_limit)s
),
found AS (
    SELECT b.id FROM (
        SELECT r.id FROM recent AS r
        UNION SELECT o.id FROM other AS o
    ) AS b
    ORDER BY b.id DESC
    LIMIT %(row_limit)s
)
SELECT
    c.source_id, c.tracked_message_count,
    {message}
{of_found}
