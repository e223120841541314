-- name: read_parents
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

-- name: count_messages_of_sender
-- Counts the stored messages of one sender in the chat of a source.
-- Parameters: organization_id uuid, source_ids text[], sender_id text.
-- Rows: (message_count bigint); no row if there is none.
-- Index: people_pkey.
SELECT p.activity_count AS message_count
FROM people AS p
WHERE p.organization_id = %(organization_id)s
    AND p.source_id = ANY(%(source_ids)s::text[])
    AND p.platform = 'telegram'
    AND p.person_id = %(sender_id)s;
