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
WITH {term},
{chat},
recent AS MATERIALIZED (
    SELECT f.id FROM (
        SELECT f.* FROM telegram_search AS f
        WHERE f.organization_id = %(organization_id)s
            AND f.chat_id = (SELECT id FROM chat)
            AND f.id < %(before)s::bigint
        ORDER BY f.id DESC
        LIMIT %(recent_limit)s::bigint
    ) AS f
    WHERE {contains}
    ORDER BY f.id DESC
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
        AND {contains}
    ORDER BY f.id DESC
    LIMIT %(row_limit)s
),
other AS (
    SELECT o.id FROM (
        SELECT f.id FROM telegram_search AS f
        WHERE f.organization_id = %(organization_id)s
            AND f.chat_id = (SELECT id FROM chat)
            AND {has_tokens}
            AND {contains}
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
{message_of_chat}
{of_found}
