-- Reads the messages of one chat that others reply to.
-- Parameters: organization_id uuid, chat_id uuid, source_ids text[], message_ids bigint[].
-- Rows: (id integer, sender_id, sender_name, sender_username, excerpt text), one for each stored
--   message.
-- Index: telegram_chats_pkey, telegram_messages_pkey.
SELECT
    m.id, m.sender_id, m.sender_name, m.sender_username,
    left(coalesce(m.text, m.file ->> 'fileName', m.detail, ''), 1000) AS excerpt
FROM telegram_chats AS c
JOIN telegram_messages AS m
    ON m.organization_id = %(organization_id)s
    AND m.chat_id = c.id
    AND m.id = ANY(%(message_ids)s::bigint[])
WHERE c.organization_id = %(organization_id)s
    AND c.id = %(chat_id)s
    AND c.source_id = ANY(%(source_ids)s::text[]);
