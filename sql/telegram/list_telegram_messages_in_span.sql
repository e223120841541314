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
WITH {chat},
term AS MATERIALIZED (
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
        AND m.sent_at >= (SELECT since FROM term)
        AND m.sent_at < (SELECT until FROM term)
    UNION ALL
    SELECT f.id FROM telegram_search AS f
    WHERE f.organization_id = %(organization_id)s
        AND f.chat_id = (SELECT id FROM chat)
        AND f.sent_at >= (SELECT since FROM term)
        AND f.sent_at < (SELECT until FROM term)
        AND {contains}
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
all_found AS NOT MATERIALIZED (
    SELECT m.id FROM telegram_messages AS m
    WHERE %(q)s::text IS NULL
        AND %(sender_id)s::text IS NULL
        AND m.organization_id = %(organization_id)s
        AND m.chat_id = (SELECT id FROM chat)
        AND m.sent_at >= (SELECT since FROM term)
        AND m.sent_at < (SELECT until FROM term)
    UNION ALL
    SELECT id FROM matches
),
found AS (
    -- OFFSET 0 keeps PostgreSQL from reading all newer messages of the chat in order of their ids.
    SELECT f.id FROM (SELECT * FROM all_found OFFSET 0) AS f
    WHERE f.id < %(before)s::bigint
    ORDER BY f.id DESC
    LIMIT %(row_limit)s
)
SELECT
    c.source_id, c.tracked_message_count,
    (SELECT count(*) FROM (SELECT FROM all_found LIMIT %(count_limit)s) AS f) AS span_count,
    {message}
{of_found}
