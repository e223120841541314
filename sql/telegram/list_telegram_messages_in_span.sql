-- Lists the newest messages of one chat with ids less than `before` that were sent in a span of time,
-- and counts the messages of the span, up to count_limit.
-- Parameters: as list_telegram_messages; since and until timestamptz or null; sender_id text or null;
--   q text or null: only messages among the newest 10,000 whose text or file name contains it;
--   count_limit bigint.
-- Rows: as list_telegram_messages, with span_count bigint, which `before` does not change, before the
--   columns of TelegramMessage.
-- Index: telegram_chats_pkey; telegram_messages_by_time or telegram_messages_by_sender, for q
--   telegram_search_pkey; telegram_messages_pkey.
-- Compares texts as bytes, because that takes equally long for every term (docs/decisions.md, 8).
WITH chat AS MATERIALIZED (
    SELECT c.id, c.source_id, c.tracked_message_count
    FROM telegram_chats AS c
    WHERE c.organization_id = %(organization_id)s
        AND c.id = %(chat_id)s
        AND c.source_id = ANY(%(source_ids)s::text[])
),
span AS MATERIALIZED (
    SELECT
        convert_to(fold_text(%(q)s::text), 'UTF8') AS bytes,
        coalesce(%(since)s::timestamptz, '-infinity') AS since,
        coalesce(%(until)s::timestamptz, 'infinity') AS until
),
matches AS MATERIALIZED (
    SELECT m.id FROM telegram_messages AS m
    WHERE %(q)s::text IS NULL
        AND m.organization_id = %(organization_id)s
        AND m.chat_id = (SELECT id FROM chat)
        AND m.sender_id = %(sender_id)s::text
        AND m.sent_at >= (SELECT since FROM span)
        AND m.sent_at < (SELECT until FROM span)
    UNION ALL
    SELECT f.id FROM telegram_search AS f
    WHERE f.organization_id = %(organization_id)s
        AND f.chat_id = (SELECT id FROM chat)
        AND f.sent_at >= (SELECT since FROM span)
        AND f.sent_at < (SELECT until FROM span)
        AND (
            position((SELECT bytes FROM span) IN convert_to(f.text_lower, 'UTF8')) > 0
            OR position((SELECT bytes FROM span) IN convert_to(f.file_name_lower, 'UTF8')) > 0
        )
        AND (
            %(sender_id)s::text IS NULL
            OR EXISTS (
                SELECT FROM telegram_messages AS m
                WHERE m.organization_id = %(organization_id)s
                    AND m.chat_id = f.chat_id
                    AND m.id = f.id
                    AND m.sender_id = %(sender_id)s::text
            )
        )
),
-- Read once for the count and once for the page, so that neither stores the ids of a long span.
found AS NOT MATERIALIZED (
    SELECT m.id FROM telegram_messages AS m
    WHERE %(q)s::text IS NULL
        AND %(sender_id)s::text IS NULL
        AND m.organization_id = %(organization_id)s
        AND m.chat_id = (SELECT id FROM chat)
        AND m.sent_at >= (SELECT since FROM span)
        AND m.sent_at < (SELECT until FROM span)
    UNION ALL
    SELECT id FROM matches
)
SELECT
    c.source_id, c.tracked_message_count,
    (SELECT count(*) FROM (SELECT FROM found LIMIT %(count_limit)s) AS f) AS span_count,
    m.id, m.sender_id AS "sender.id", m.sender_name AS "sender.name",
    m.sender_username AS "sender.username", m.kind, m.text, m.detail, m.file,
    m.reply_to_message_id, m.sent_at, m.edited_at
FROM chat AS c
LEFT JOIN (
    -- OFFSET 0 keeps PostgreSQL from reading all newer messages of the chat in order of their ids.
    SELECT f.id FROM (SELECT * FROM found OFFSET 0) AS f
    WHERE f.id < %(before)s::bigint
    ORDER BY f.id DESC
    LIMIT %(row_limit)s
) AS f ON true
-- OFFSET 0 makes PostgreSQL look up one message at a time.
LEFT JOIN LATERAL (
    SELECT m.* FROM telegram_messages AS m
    WHERE m.organization_id = %(organization_id)s AND m.chat_id = c.id AND m.id = f.id
    OFFSET 0
) AS m ON true
ORDER BY m.id DESC;
