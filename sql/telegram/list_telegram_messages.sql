-- Lists messages of one chat: the newest with ids less than `before`, and the first of the others.
-- Parameters: organization_id uuid, chat_id uuid, source_ids text[]; before bigint; row_limit integer;
--   newer_limit integer: how many messages with ids from `before` on.
-- Rows: no row if there is no such chat; else source_id and tracked_message_count of the chat, then
--   the columns of TelegramMessage, newest first. If there is no message, one row whose columns of
--   TelegramMessage are null.
-- Index: telegram_chats_pkey; telegram_messages_pkey, scanned in both directions from `before`.
SELECT
    c.source_id, c.tracked_message_count,
    {message}
FROM telegram_chats AS c
LEFT JOIN LATERAL (
    (
        SELECT * FROM telegram_messages AS m
        WHERE m.organization_id = %(organization_id)s AND m.chat_id = c.id AND m.id < %(before)s::bigint
        ORDER BY m.id DESC
        LIMIT %(row_limit)s
    )
    UNION ALL
    (
        SELECT * FROM telegram_messages AS m
        WHERE m.organization_id = %(organization_id)s AND m.chat_id = c.id AND m.id >= %(before)s::bigint
        ORDER BY m.id
        LIMIT %(newer_limit)s
    )
) AS m ON true
WHERE c.organization_id = %(organization_id)s
    AND c.id = %(chat_id)s
    AND c.source_id = ANY(%(source_ids)s::text[])
ORDER BY m.id DESC;
