-- Lists the newest messages of one chat with ids less than `before` that match filters, and counts all that
-- match, up to count_limit. A term is sought only in the newest 10,000 messages of the chat, which bounds the
-- candidates of any term.
-- Parameters: as list_telegram_messages; q text, sender_id text, since and until timestamptz, each null for
--   all; count_limit bigint.
-- Rows: as list_telegram_messages, with match_count bigint, which `before` does not change, before the columns
--   of TelegramMessage.
-- Index: telegram_chats_pkey; telegram_search_tokens for q, else telegram_messages_by_sender or
--   telegram_messages_by_time; telegram_messages_pkey.
WITH {chat},
term AS MATERIALIZED (
    SELECT
        convert_to(fold_text(%(q)s::text), 'UTF8') AS bytes,
        keyed_term_tokens(
            %(organization_id)s, ARRAY[%(chat_id)s::uuid::text], fold_text(%(q)s::text)
        ) AS tokens,
        coalesce(%(since)s::timestamptz, '-infinity') AS since,
        coalesce(%(until)s::timestamptz, 'infinity') AS until
),
with_term AS MATERIALIZED (
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
        AND (%(sender_id)s::text IS NULL OR f.sender_id = %(sender_id)s)
        AND f.sent_at + interval '0' >= (SELECT since FROM term)
        AND f.sent_at + interval '0' < (SELECT until FROM term)
),
of_span AS NOT MATERIALIZED (
    SELECT m.id, m.sender_id FROM telegram_messages AS m
    WHERE %(q)s::text IS NULL
        AND m.organization_id = %(organization_id)s
        AND m.chat_id = (SELECT id FROM chat)
        AND m.sent_at >= (SELECT since FROM term)
        AND m.sent_at < (SELECT until FROM term)
),
-- Read once for the count and once for the page, so that neither stores the ids of a long span.
all_found AS NOT MATERIALIZED (
    SELECT id FROM with_term
    UNION ALL
    SELECT id FROM of_span WHERE sender_id = %(sender_id)s::text
    UNION ALL
    SELECT id FROM of_span WHERE %(sender_id)s::text IS NULL
),
found AS (
    SELECT f.id FROM (SELECT * FROM all_found OFFSET 0) AS f
    WHERE f.id < %(before)s::bigint
    ORDER BY f.id DESC
    LIMIT %(row_limit)s
)
SELECT
    c.source_id, c.tracked_message_count,
    (SELECT count(*) FROM (SELECT FROM all_found LIMIT %(count_limit)s) AS f) AS match_count,
    {message}
{of_found}
