-- Finds the messages, posts, people and assets that have some words, best first, and counts those with each word.
-- Parameters: organization_id uuid; messages_source_ids, posts_source_ids, people_source_ids and assets_source_ids
--   text[]; stems text[]: what the forms of each word begin with; after and before timestamptz or null;
--   posting_limit bigint: how many records of each kind are read for each word; word_limit bigint: how many words
--   count, the rarest; row_limit bigint; following_limit bigint: how many messages are read after each message.
-- Rows: as search/rank_documents, and following text[]: the sender and text of the messages after a message.
-- Index: telegram_search_tokens, x_mentions_tokens, people_tokens, assets_tokens.
-- Compares texts as bytes, also beside keyed_text_tokens, for the reasons given in search/find_messages. The
-- parts named candidates are materialized so that LIMIT has no effect on their plans; casts of ids keep them from
-- also reading indexes of the whole organization.
WITH words AS MATERIALIZED (
    SELECT w.number, fold_text(w.word) AS text, convert_to(fold_text(w.word), 'UTF8') AS bytes
    FROM unnest(%(stems)s::text[]) WITH ORDINALITY AS w (word, number)
),
period AS MATERIALIZED (
    SELECT
        coalesce(%(after)s::timestamptz, '-infinity') AS after,
        coalesce(%(before)s::timestamptz, 'infinity') AS before
),
chats AS MATERIALIZED (
    SELECT c.id, c.source_id, c.title FROM telegram_chats AS c
    WHERE c.organization_id = %(organization_id)s AND c.source_id = ANY(%(messages_source_ids)s::text[])
),
accounts AS MATERIALIZED (
    SELECT s.id, lower(s.account) AS account FROM sources AS s
    WHERE s.organization_id = %(organization_id)s AND s.id = ANY(%(posts_source_ids)s::text[])
),
kinds AS MATERIALIZED (
    SELECT 'message' AS kind, ARRAY(SELECT c.id::text FROM chats AS c) AS keys
    UNION ALL SELECT 'post', ARRAY(SELECT a.id || ' ' || a.account FROM accounts AS a)
    UNION ALL SELECT 'person', %(people_source_ids)s::text[]
    UNION ALL SELECT 'asset', %(assets_source_ids)s::text[]
),
single_terms AS MATERIALIZED (
    SELECT w.number, w.bytes, k.kind, keyed_term_tokens(%(organization_id)s, k.keys, w.text) AS tokens
    FROM words AS w
    CROSS JOIN kinds AS k
    WHERE k.keys <> '{}'
),
-- Records with all words are candidates too, because a common word has too many.
terms AS MATERIALIZED (
    SELECT * FROM single_terms
    UNION ALL
    SELECT NULL, (array_agg(a.bytes ORDER BY a.bytes))[1], a.kind, array_agg(a.tokens ORDER BY a.key)
    FROM (
        SELECT
            s.kind, t.key, (array_agg(s.bytes ORDER BY s.bytes))[1] AS bytes,
            string_agg('(' || t.token::text || ')', ' & ')::tsquery AS tokens
        FROM single_terms AS s
        CROSS JOIN LATERAL unnest(s.tokens) WITH ORDINALITY AS t (token, key)
        GROUP BY s.kind, t.key
        HAVING count(*) > 1
    ) AS a
    GROUP BY a.kind
),
postings AS MATERIALIZED (
    SELECT w.number, w.kind, f.*
    FROM terms AS w
    CROSS JOIN LATERAL (
        (
            WITH candidates AS MATERIALIZED (
                SELECT * FROM telegram_search AS f
                WHERE w.kind = 'message'
                    AND f.organization_id::text = %(organization_id)s::text
                    AND f.chat_id::text = ANY(ARRAY(SELECT id::text FROM chats))
                    AND keyed_text_tokens(
                        f.organization_id, f.chat_id::text,
                        coalesce(f.text_lower, '') || E'\n' || coalesce(f.file_name_lower, '')
                    ) @@ ANY(w.tokens)
                    AND (
                        position(w.bytes IN convert_to(f.text_lower, 'UTF8')) > 0
                        OR position(w.bytes IN convert_to(f.file_name_lower, 'UTF8')) > 0
                    )
            )
            SELECT
                f.chat_id || ':' || f.id AS id, c.source_id,
                coalesce(f.text_lower, '') || E'\n' || coalesce(f.file_name_lower, '') AS folded
            FROM candidates AS f
            JOIN chats AS c ON c.id = f.chat_id
            WHERE f.sent_at >= (SELECT after FROM period) AND f.sent_at < (SELECT before FROM period)
            LIMIT %(posting_limit)s
        )
        UNION ALL
        (
            WITH candidates AS MATERIALIZED (
                SELECT m.id, m.source_id, m.created_at, m.text_lower FROM x_mentions AS m
                WHERE w.kind = 'post'
                    AND m.organization_id::text = %(organization_id)s::text
                    AND (m.source_id, lower(m.account)) IN (SELECT id, account FROM accounts)
                    AND keyed_text_tokens(
                        m.organization_id, m.source_id || ' ' || lower(m.account), m.text_lower
                    ) @@ ANY(w.tokens)
                    AND position(w.bytes IN convert_to(m.text_lower, 'UTF8')) > 0
            )
            SELECT m.id, m.source_id, m.text_lower FROM candidates AS m
            WHERE m.created_at >= (SELECT after FROM period) AND m.created_at < (SELECT before FROM period)
            LIMIT %(posting_limit)s
        )
        UNION ALL
        (
            WITH candidates AS MATERIALIZED (
                SELECT * FROM people AS p
                WHERE w.kind = 'person'
                    AND p.organization_id::text = %(organization_id)s::text
                    AND p.source_id || '' = ANY(%(people_source_ids)s::text[])
                    AND keyed_text_tokens(
                        p.organization_id, p.source_id, p.display_name_lower || E'\n' || coalesce(p.username_lower, '')
                    ) @@ ANY(w.tokens)
                    AND (
                        position(w.bytes IN convert_to(p.display_name_lower, 'UTF8')) > 0
                        OR position(w.bytes IN convert_to(p.username_lower, 'UTF8')) > 0
                    )
            )
            SELECT
                p.platform || ':' || p.person_id, p.source_id,
                p.display_name_lower || E'\n' || coalesce(p.username_lower, '')
            FROM candidates AS p
            WHERE NOT p.newer_source_ids && %(people_source_ids)s::text[]
                AND p.last_active_at >= (SELECT after FROM period) AND p.last_active_at < (SELECT before FROM period)
            LIMIT %(posting_limit)s
        )
        UNION ALL
        (
            WITH candidates AS MATERIALIZED (
                SELECT a.id, a.source_id, a.updated_at, a.name_folded FROM assets AS a
                WHERE w.kind = 'asset'
                    AND a.organization_id::text = %(organization_id)s::text
                    AND a.source_id || '' = ANY(%(assets_source_ids)s::text[])
                    AND keyed_text_tokens(a.organization_id, a.source_id, a.name_folded) @@ ANY(w.tokens)
                    AND position(w.bytes IN convert_to(a.name_folded, 'UTF8')) > 0
            )
            SELECT a.id::text, a.source_id, a.name_folded FROM candidates AS a
            WHERE a.updated_at >= (SELECT after FROM period) AND a.updated_at < (SELECT before FROM period)
            LIMIT %(posting_limit)s
        )
    ) AS f
),
posted AS MATERIALIZED (
    SELECT p.number, p.kind, count(*) AS posting_count FROM postings AS p GROUP BY p.number, p.kind
),
-- BM25's share of a word, of 16, for a mean length of 200; less inside a longer word.
hits AS MATERIALIZED (
    SELECT
        w.number, p.kind, p.id, p.source_id,
        max(
            CASE WHEN position(' ' || w.text IN ' ' || p.folded) > 0 THEN 160 ELSE 60 END
            / (13 + length(p.folded) / 22)
        ) AS impact
    FROM postings AS p
    JOIN words AS w
        ON w.number = p.number
        OR p.number IS NULL AND position(w.bytes IN convert_to(p.folded, 'UTF8')) > 0
    GROUP BY w.number, p.kind, p.id, p.source_id
),
counts AS MATERIALIZED (
    SELECT h.number, h.kind, h.source_id, count(*) AS record_count FROM hits AS h
    GROUP BY h.number, h.kind, h.source_id
),
weights AS MATERIALIZED (
    SELECT c.number, (100 * ln(1 + 20000 / (1 + sum(c.record_count))))::integer AS weight
    FROM counts AS c
    GROUP BY c.number
    ORDER BY sum(c.record_count), c.number
    LIMIT %(word_limit)s
),
scored AS MATERIALIZED (
    SELECT h.kind, h.id, h.source_id, sum(w.weight * h.impact) AS score
    FROM hits AS h
    JOIN weights AS w ON w.number = h.number
    GROUP BY h.kind, h.id, h.source_id
    ORDER BY sum(w.weight * h.impact) DESC, h.kind, h.id
    LIMIT %(row_limit)s
)
SELECT
    c.number AS word_number, c.kind, c.source_id, c.record_count,
    coalesce(p.posting_count, 0) < %(posting_limit)s AS is_exact,
    NULL AS id, NULL AS title, NULL::timestamptz AS at, NULL AS href, NULL AS excerpt, NULL AS folded,
    NULL::boolean AS is_whole, NULL::bigint AS score, NULL::text[] AS following
FROM counts AS c
LEFT JOIN posted AS p ON p.number = c.number AND p.kind = c.kind
UNION ALL
SELECT
    NULL, s.kind, s.source_id, NULL, NULL, s.id, t.title, t.at, t.href, t.text, fold_text(t.text), true, s.score,
    ARRAY(
        SELECT n.sender_name || ': ' || n.text
        FROM (
            SELECT n.id, n.sender_name, n.text FROM telegram_messages AS n
            WHERE n.organization_id = %(organization_id)s
                AND n.chat_id = CASE s.kind WHEN 'message' THEN split_part(s.id, ':', 1)::uuid END
                AND n.id > CASE s.kind WHEN 'message' THEN split_part(s.id, ':', 2)::integer END
            ORDER BY n.id
            LIMIT %(following_limit)s
        ) AS n
        WHERE n.text IS NOT NULL
        ORDER BY n.id
    )
FROM scored AS s
CROSS JOIN LATERAL (
    SELECT
        m.sender_name || ' in ' || c.title AS title, m.sent_at AS at,
        '/api/v1/telegram/chats/' || c.id || '/messages?'
            || CASE WHEN m.id < 2147483647 THEN 'before=' || (m.id::bigint + 1) || '&' ELSE '' END
            || 'limit=1' AS href,
        coalesce(m.text, m.file ->> 'fileName', m.detail, '') AS text
    FROM telegram_messages AS m
    JOIN chats AS c ON c.id = m.chat_id
    WHERE m.organization_id = %(organization_id)s
        AND m.chat_id = CASE s.kind WHEN 'message' THEN split_part(s.id, ':', 1)::uuid END
        AND m.id = CASE s.kind WHEN 'message' THEN split_part(s.id, ':', 2)::integer END
    UNION ALL
    SELECT '@' || m.author_username, m.created_at, m.url, m.text
    FROM x_mentions AS m
    WHERE m.organization_id = %(organization_id)s AND m.id = CASE s.kind WHEN 'post' THEN s.id END
    UNION ALL
    SELECT p.display_name, p.last_active_at, NULL, concat_ws(' ', p.display_name, p.username)
    FROM people AS p
    WHERE p.organization_id = %(organization_id)s
        AND p.source_id = s.source_id
        AND p.person_id = CASE s.kind WHEN 'person' THEN substr(s.id, 1 + strpos(s.id, ':')) END
    UNION ALL
    SELECT a.name, a.updated_at, NULL, a.name
    FROM assets AS a
    WHERE a.organization_id = %(organization_id)s AND a.id = CASE s.kind WHEN 'asset' THEN s.id::uuid END
) AS t;
