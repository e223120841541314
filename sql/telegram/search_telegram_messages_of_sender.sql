-- Finds the newest messages of one sender in one chat with ids less than `before` whose text or
-- file name contains a term. Examines only the newest 10,000 messages of the chat, which bounds the
-- candidates of any term.
-- Parameters: as list_telegram_messages; q text; sender_id text.
-- Rows: as list_telegram_messages.
-- Index: telegram_chats_pkey; telegram_search_tokens, telegram_messages_by_sender; then, for a sender of
--   many messages, telegram_messages_pkey for each candidate.
WITH term AS MATERIALIZED (
    SELECT
        convert_to(fold_text(%(q)s::text), 'UTF8') AS bytes,
        keyed_term_tokens(
            %(organization_id)s, ARRAY[%(chat_id)s::uuid::text], fold_text(%(q)s::text)
        ) AS tokens
),
chat AS MATERIALIZED (
    SELECT c.id, c.source_id, c.tracked_message_count
    FROM telegram_chats AS c
    WHERE c.organization_id = %(organization_id)s
        AND c.id = %(chat_id)s
        AND c.source_id = ANY(%(source_ids)s::text[])
),
candidates AS MATERIALIZED (
    SELECT f.id FROM telegram_search AS f
    WHERE f.organization_id = %(organization_id)s
        AND f.chat_id = (SELECT id FROM chat)
        AND keyed_text_tokens(
            f.organization_id, f.chat_id::text,
            coalesce(f.text_lower, '') || E'\n' || coalesce(f.file_name_lower, '')
        ) @@ ANY((SELECT tokens FROM term)::tsquery[])
        AND (
            position((SELECT bytes FROM term) IN convert_to(f.text_lower, 'UTF8')) > 0
            OR position((SELECT bytes FROM term) IN convert_to(f.file_name_lower, 'UTF8')) > 0
        )
),
of_sender AS MATERIALIZED (
    SELECT m.id FROM telegram_messages AS m
    WHERE m.organization_id = %(organization_id)s
        AND m.chat_id = (SELECT id FROM chat)
        AND m.sender_id = %(sender_id)s
    LIMIT 1001
),
found AS (
    SELECT c.id
    -- The order lets LIMIT stop as soon as enough candidates are of the sender.
    FROM (SELECT id FROM candidates WHERE id < %(before)s::bigint ORDER BY id DESC OFFSET 0) AS c
    -- The messages of most senders are few, and their ids are compared faster than a message is read.
    WHERE CASE
        WHEN (SELECT count(*) FROM of_sender) <= 1000 THEN c.id IN (SELECT id FROM of_sender)
        ELSE (
            SELECT m.sender_id = %(sender_id)s
            FROM telegram_messages AS m
            WHERE m.organization_id = %(organization_id)s
                AND m.chat_id = (SELECT id FROM chat)
                AND m.id = c.id
        )
    END
    LIMIT %(row_limit)s
)
SELECT
    c.source_id, c.tracked_message_count,
    m.id, m.sender_id AS "sender.id", m.sender_name AS "sender.name",
    m.sender_username AS "sender.username", m.kind, m.text, m.detail, m.file,
    m.reply_to_message_id, m.sent_at, m.edited_at
FROM chat AS c
LEFT JOIN found AS f ON true
LEFT JOIN LATERAL (
    SELECT m.* FROM telegram_messages AS m
    WHERE m.organization_id = %(organization_id)s AND m.chat_id = c.id AND m.id = f.id
    OFFSET 0
) AS m ON true
ORDER BY m.id DESC;
