-- Finds the newest messages of one chat with ids less than `before` whose text or file name
-- contains a term. Examines only the newest 10,000 messages of the chat. Reads recent_limit
-- messages first. If they contain a third of the requested rows, the term is common and the scan
-- continues; otherwise the index finds candidates.
-- Parameters: as list_telegram_messages; q text; recent_limit bigint: how many messages are read
--   first.
-- Rows: as list_telegram_messages.
-- Compares texts as bytes, also beside keyed_text_tokens, for the reasons given in
-- search/find_records.
-- Index: telegram_chats_pkey; telegram_search_pkey, scanned backward from `before`;
--   telegram_search_tokens.
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
recent AS MATERIALIZED (
    SELECT r.id FROM (
        SELECT f.* FROM telegram_search AS f
        WHERE f.organization_id = %(organization_id)s
            AND f.chat_id = (SELECT id FROM chat)
            AND f.id < %(before)s::bigint
        ORDER BY f.id DESC
        LIMIT %(recent_limit)s::bigint
    ) AS r
    WHERE position((SELECT bytes FROM term) IN convert_to(r.text_lower, 'UTF8')) > 0
        OR position((SELECT bytes FROM term) IN convert_to(r.file_name_lower, 'UTF8')) > 0
    ORDER BY r.id DESC
    LIMIT %(row_limit)s
),
-- The id where the search continues, null if it is complete. If is_common, it continues to scan,
-- otherwise it uses the index.
next AS MATERIALIZED (
    SELECT
        (SELECT count(*) FROM recent) * 3 >= %(row_limit)s AS is_common,
        (
            SELECT n.id FROM telegram_search AS n
            WHERE n.organization_id = %(organization_id)s
                AND n.chat_id = (SELECT id FROM chat)
                AND n.id < %(before)s::bigint
                AND (SELECT count(*) FROM recent) < %(row_limit)s
            ORDER BY n.id DESC
            OFFSET %(recent_limit)s::bigint
            LIMIT 1
        ) AS id
),
further AS (
    SELECT f.id FROM telegram_search AS f
    WHERE f.organization_id = %(organization_id)s
        AND f.chat_id = (SELECT id FROM chat)
        AND f.id <= (SELECT id FROM next WHERE is_common)
        AND (
            position((SELECT bytes FROM term) IN convert_to(f.text_lower, 'UTF8')) > 0
            OR position((SELECT bytes FROM term) IN convert_to(f.file_name_lower, 'UTF8')) > 0
        )
    ORDER BY f.id DESC
    LIMIT %(row_limit)s
),
other AS (
    SELECT o.id FROM (
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
            AND (SELECT id FROM next WHERE NOT is_common) IS NOT NULL
        OFFSET 0
    ) AS o
    WHERE o.id <= (SELECT id FROM next)
    ORDER BY o.id DESC
    LIMIT %(row_limit)s
),
found AS (
    SELECT b.id FROM (
        SELECT r.id FROM recent AS r
        UNION ALL SELECT f.id FROM further AS f
        UNION ALL SELECT o.id FROM other AS o
    ) AS b
    ORDER BY b.id DESC
    LIMIT %(row_limit)s
)
SELECT
    c.source_id, c.tracked_message_count,
    m.id, m.sender_id AS "sender.id", m.sender_name AS "sender.name",
    m.sender_username AS "sender.username", m.kind, m.text, m.detail, m.file,
    m.reply_to_message_id, m.sent_at, m.edited_at
FROM chat AS c
LEFT JOIN found AS f ON true
-- OFFSET 0 makes PostgreSQL look up one message at a time. If most chats are small, it would
-- otherwise read all messages of the chat for each row.
LEFT JOIN LATERAL (
    SELECT m.* FROM telegram_messages AS m
    WHERE m.organization_id = %(organization_id)s AND m.chat_id = c.id AND m.id = f.id
    OFFSET 0
) AS m ON true
ORDER BY m.id DESC;
