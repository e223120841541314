-- The newest messages of one chat before an id whose text or file name contains a term,
-- among the newest 10,000 of the chat.
-- Parameters: as list_telegram_messages, and q text.
-- Rows: as list_telegram_messages.
-- Texts are compared as bytes, which no repeated character makes slow (search/find_messages).
-- Index: telegram_chats_pkey, a range of telegram_search_pkey read backwards.
WITH term AS MATERIALIZED (SELECT convert_to(lower(%(q)s::text), 'UTF8') AS bytes)
SELECT
    c.source_id, c.tracked_message_count,
    m.id, m.sender_id AS "sender.id", m.sender_name AS "sender.name",
    m.sender_username AS "sender.username", m.kind, m.text, m.detail, m.file,
    m.reply_to_message_id, m.sent_at, m.edited_at
FROM telegram_chats AS c
LEFT JOIN LATERAL (
    SELECT f.id FROM telegram_search AS f
    WHERE f.organization_id = %(organization_id)s
        AND f.chat_id = c.id
        AND f.id < %(before)s::bigint
        AND (
            position((SELECT bytes FROM term) IN convert_to(f.text_lower, 'UTF8')) > 0
            OR position((SELECT bytes FROM term) IN convert_to(f.file_name_lower, 'UTF8')) > 0
        )
    ORDER BY f.id DESC
    LIMIT %(row_limit)s
) AS found ON true
LEFT JOIN telegram_messages AS m
    ON m.organization_id = %(organization_id)s AND m.chat_id = c.id AND m.id = found.id
WHERE c.organization_id = %(organization_id)s
    AND c.id = %(chat_id)s
    AND c.source_id = ANY(%(source_ids)s::text[])
ORDER BY m.id DESC;
