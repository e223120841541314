-- Lists the messages of one chat on both sides of an id.
-- Parameters: as list_telegram_messages, without before; around bigint; row_limit integer: how many
--   messages with ids up to `around`, and how many with greater ids.
-- Rows: as list_telegram_messages.
-- Index: telegram_chats_pkey; telegram_messages_pkey, scanned in both directions from `around`.
SELECT
    c.source_id, c.tracked_message_count,
    {message}
FROM telegram_chats AS c
LEFT JOIN LATERAL (
    (
        SELECT * FROM telegram_messages AS m
        WHERE m.organization_id = %(organization_id)s
            AND m.chat_id = c.id
            AND m.id <= %(around)s::bigint
        ORDER BY m.id DESC
        LIMIT %(row_limit)s
    )
    UNION ALL
    (
        SELECT * FROM telegram_messages AS m
        WHERE m.organization_id = %(organization_id)s
            AND m.chat_id = c.id
            AND m.id > %(around)s::bigint
        ORDER BY m.id
        LIMIT %(row_limit)s
    )
) AS m ON true
WHERE c.organization_id = %(organization_id)s
    AND c.id = %(chat_id)s
    AND c.source_id = ANY(%(source_ids)s::text[])
ORDER BY m.id DESC;
