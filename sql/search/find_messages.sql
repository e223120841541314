-- Finds the newest messages that contain a term, or the newest of all if q is null, with an excerpt
-- around the first match.
-- Reads the newest messages first, because they contain enough matches of a common term. If they
-- contain too few, the term is rare and the index finds candidates. So one plan suits all terms.
-- Compares texts as bytes, because that takes equally long for every term (docs/decisions.md, 8). If
-- most organizations are small, the planner may not use the index. The comparison is therefore also
-- a condition beside keyed_text_tokens, and a cheaper one: then PostgreSQL computes tokens only of
-- texts that contain the term.
-- Parameters: organization_id uuid; source_ids text[]; q text, after and before timestamptz or
--   null; row_limit bigint; recent_limit bigint: how many of the newest messages are read before
--   the index is used; if q is null, at least ten times row_limit; since_setting text: a setting
--   that lasts until the transaction ends. If this statement finds row_limit rows, it stores the
--   time of the last one there, else ''. The other statements of the search ignore older records.
-- Rows: search_limited boolean (whether some records were not examined), then kind, id, source_id,
--   title text, at timestamptz, href text (null if the caller derives it from the kind and id), excerpt
--   text, match_at integer (position of the term in the excerpt, counted from 1, or 0 if it is not
--   there), starts and ends boolean (whether the excerpt reaches the beginning and the end of the
--   text). If nothing is found, one row whose kind and id are null.
-- Index: telegram_search_by_chat, telegram_search_tokens; telegram_messages_pkey.
WITH chats AS MATERIALIZED (
    SELECT c.id, c.source_id, c.title, c.tracked_message_count
    FROM telegram_chats AS c
    WHERE c.organization_id = %(organization_id)s AND c.source_id = ANY(%(source_ids)s::text[])
),
term AS MATERIALIZED (
    SELECT
        q.text, convert_to(q.text, 'UTF8') AS bytes,
        term_pattern(q.text) AS pattern,
        coalesce(%(after)s::timestamptz, '-infinity') AS after,
        coalesce(%(before)s::timestamptz, 'infinity') AS before
    -- OFFSET 0 makes PostgreSQL fold the term only once.
    FROM (SELECT fold_text(%(q)s::text) AS text OFFSET 0) AS q
),
-- Computed only if the index is used.
terms AS MATERIALIZED (
    SELECT
        keyed_term_tokens(
            %(organization_id)s, ARRAY(SELECT c.id::text FROM chats AS c), (SELECT text FROM term)
        ) AS tokens
),
-- A time since which there are recent_limit messages. The newest of each chat tell it, and no row of
-- another chat is read, because the time of the answer would tell when there are messages in it.
bound AS MATERIALIZED (
    SELECT r.sent_at
    FROM chats AS c
    CROSS JOIN LATERAL (
        SELECT f.sent_at FROM telegram_search AS f
        WHERE f.organization_id = %(organization_id)s
            AND f.chat_id = c.id
            AND f.sent_at >= (SELECT after FROM term)
            AND f.sent_at < (SELECT before FROM term)
        ORDER BY f.sent_at DESC
        LIMIT 1 + 2 * %(recent_limit)s::bigint / (SELECT count(*) FROM chats)
    ) AS r
    ORDER BY r.sent_at DESC
    OFFSET %(recent_limit)s::bigint - 1 LIMIT 1
),
recent_messages AS MATERIALIZED (
    SELECT r.chat_id, r.id, r.sent_at FROM (
        SELECT f.* FROM chats AS c
        CROSS JOIN LATERAL (
            SELECT f.* FROM telegram_search AS f
            WHERE f.organization_id = %(organization_id)s
                AND f.chat_id = c.id
                AND f.sent_at >= coalesce((SELECT sent_at FROM bound), (SELECT after FROM term))
                AND f.sent_at < (SELECT before FROM term)
            ORDER BY f.sent_at DESC
            FETCH FIRST (%(recent_limit)s::bigint) ROWS WITH TIES
        ) AS f
        ORDER BY f.sent_at DESC
        FETCH FIRST (%(recent_limit)s::bigint) ROWS WITH TIES
    ) AS r
    WHERE (SELECT text FROM term) IS NULL
        OR position((SELECT bytes FROM term) IN convert_to(r.text_lower, 'UTF8')) > 0
        OR position((SELECT bytes FROM term) IN convert_to(r.file_name_lower, 'UTF8')) > 0
    ORDER BY r.sent_at DESC, (r.chat_id || ':' || r.id) COLLATE "C"
    LIMIT %(row_limit)s
),
other_messages AS (
    SELECT r.chat_id, r.id, r.sent_at FROM (
        SELECT c.* FROM (
            SELECT f.* FROM telegram_search AS f
            -- The cast and the interval keep PostgreSQL from also reading other indexes.
            WHERE f.organization_id::text = %(organization_id)s::text
                AND f.chat_id::text = ANY(ARRAY(SELECT id::text FROM chats))
                AND f.sent_at + interval '0' >= (SELECT after FROM term)
                AND f.sent_at + interval '0' < (SELECT before FROM term)
                AND keyed_text_tokens(
                    f.organization_id, f.chat_id::text,
                    coalesce(f.text_lower, '') || E'\n' || coalesce(f.file_name_lower, '')
                ) @@ ANY((SELECT tokens FROM terms)::tsquery[])
                AND (
                    position((SELECT bytes FROM term) IN convert_to(f.text_lower, 'UTF8')) > 0
                    OR position(
                        (SELECT bytes FROM term) IN convert_to(f.file_name_lower, 'UTF8')
                    ) > 0
                )
                AND (SELECT count(*) FROM recent_messages) < %(row_limit)s
                AND EXISTS (
                    SELECT FROM telegram_search AS n
                    WHERE n.organization_id = %(organization_id)s
                        AND n.chat_id = ANY(ARRAY(SELECT id FROM chats))
                        AND n.sent_at >= (SELECT after FROM term)
                        AND n.sent_at < (SELECT before FROM term)
                    OFFSET %(recent_limit)s::bigint
                )
            OFFSET 0
        ) AS c
        ORDER BY c.sent_at DESC
        FETCH FIRST (%(row_limit)s) ROWS WITH TIES
    ) AS r
    ORDER BY r.sent_at DESC, (r.chat_id || ':' || r.id) COLLATE "C"
    LIMIT %(row_limit)s
),
found AS MATERIALIZED (
    SELECT
        'message' AS kind, c.id || ':' || m.id AS id, c.source_id,
        m.sender_name || ' in ' || c.title AS title, m.sent_at AS at,
        '/api/v1/telegram/chats/' || c.id || '/messages?'
            -- The largest possible id needs no `before`.
            || CASE WHEN m.id < 2147483647 THEN 'before=' || (m.id::bigint + 1) || '&' ELSE '' END
            || 'limit=1'
            AS href,
        CASE
            WHEN strpos(fold_text(m.file ->> 'fileName'), (SELECT text FROM term)) > 0
                AND (strpos(fold_text(m.text), (SELECT text FROM term)) > 0) IS NOT TRUE
                THEN m.file ->> 'fileName'
            ELSE coalesce(m.text, m.file ->> 'fileName', m.detail, '')
        END AS text
    FROM (SELECT * FROM recent_messages UNION SELECT * FROM other_messages) AS f
    JOIN chats AS c ON c.id = f.chat_id
    -- OFFSET 0 makes PostgreSQL look up one message at a time. If most chats are small, it would
    -- otherwise read all messages of each chat.
    CROSS JOIN LATERAL (
        SELECT m.* FROM telegram_messages AS m
        WHERE m.organization_id = %(organization_id)s AND m.chat_id = f.chat_id AND m.id = f.id
        OFFSET 0
    ) AS m
),
passed_on AS MATERIALIZED (
    SELECT set_config(
        %(since_setting)s::text,
        CASE WHEN count(*) = %(row_limit)s THEN min(at)::text ELSE '' END,
        true
    )
    FROM found
)
SELECT
    EXISTS (SELECT FROM chats WHERE tracked_message_count > 10000) AS search_limited,
    f.kind, f.id, f.source_id, f.title, f.at, f.href,
    CASE
        WHEN place.match_at = 0 THEN left(f.text, 4000)
        ELSE substr(f.text, place.excerpt_at, 1400)
    END AS excerpt,
    CASE WHEN place.match_at = 0 THEN 0 ELSE place.match_at - place.excerpt_at + 1 END AS match_at,
    place.excerpt_at = 1 AS starts,
    place.excerpt_at + 1400 > length(f.text) AS ends
FROM passed_on
LEFT JOIN found AS f ON true
CROSS JOIN LATERAL (
    SELECT b.match_at, greatest(1, b.match_at - 600) AS excerpt_at
    FROM (
        SELECT coalesce(match_position(f.text, (SELECT text FROM term), (SELECT pattern FROM term)), 0) AS match_at
        OFFSET 0
    ) AS b
) AS place;
