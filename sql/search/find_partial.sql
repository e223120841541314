-- Finds out which of some words occur in records that a search may find, and the records that
-- contain most of them.
-- Parameters: organization_id uuid; q text: what was searched for; words text[]: those of q to look
--   for; messages_source_ids, documents_source_ids, posts_source_ids, people_source_ids and
--   assets_source_ids text[]; after and before timestamptz or null; examined_limit bigint: how many
--   readable candidates of the index are examined for each word and kind; hit_limit bigint: how many
--   records are counted of each word and kind; recent_limit bigint: how many of the newest messages
--   are read before the index is used, as many of each chat; row_limit bigint: how many records are
--   returned; following_limit bigint: how many messages are read after each message.
-- Rows: first the counts: word_number bigint (from 1), kind and source_id text, record_count bigint.
--   Then the records, those with the most and rarest words first, kinds in turn: word_number and
--   record_count are null; kind, id, source_id, title, at and href
--   are as in search/find_messages; excerpt is its text or a chunk of it, is_whole whether all; word_numbers bigint[]: the words in
--   it, or in the chunk of a document that contains most, the rarest first; following text[]: the sender and text of
--   the messages after a message.
-- Index: telegram_search_by_chat, telegram_search_tokens, knowledge_search_tokens, x_mentions_tokens,
--   people_tokens, assets_tokens.
-- Compares texts as bytes, because that takes equally long for every term (docs/decisions.md, 8).
-- The parts named candidates are materialized so that LIMIT has no effect on their plans: they use
-- the indexes for searches. Casts of ids keep them from also reading indexes of the whole organization. Rows are ordered so that equal data gives equal results.
WITH words AS MATERIALIZED (
    SELECT
        w.number, fold_text(w.word) AS text, convert_to(fold_text(w.word), 'UTF8') AS bytes
    FROM unnest(%(words)s::text[]) WITH ORDINALITY AS w (word, number)
    WHERE %(q)s::text IS NOT NULL
),
chats AS MATERIALIZED (
    SELECT c.id, c.source_id, c.title FROM telegram_chats AS c
    WHERE c.organization_id = %(organization_id)s
        AND c.source_id = ANY(%(messages_source_ids)s::text[])
),
accounts AS MATERIALIZED (
    SELECT s.id, lower(s.account) AS account FROM sources AS s
    WHERE s.organization_id = %(organization_id)s AND s.id = ANY(%(posts_source_ids)s::text[])
),
kinds AS MATERIALIZED (
    SELECT 'message' AS kind, ARRAY(SELECT c.id::text FROM chats AS c) AS source_ids
    UNION ALL SELECT 'document', %(documents_source_ids)s::text[]
    UNION ALL SELECT 'post', ARRAY(SELECT a.id || ' ' || a.account FROM accounts AS a)
    UNION ALL SELECT 'person', %(people_source_ids)s::text[]
    UNION ALL SELECT 'asset', %(assets_source_ids)s::text[]
),
words_of_kinds AS MATERIALIZED (
    SELECT
        w.number, w.text, w.bytes, k.kind,
        keyed_term_tokens(%(organization_id)s, k.source_ids, w.text) AS tokens
    FROM words AS w
    CROSS JOIN kinds AS k
),
-- Records with two or three words are candidates first, because a common word alone has too many.
terms AS MATERIALIZED (
    SELECT w.number, w.bytes, w.kind, w.tokens FROM words_of_kinds AS w
    UNION ALL
    SELECT
        NULL, ''::bytea, a.kind,
        array_agg(CASE WHEN c.number = b.number THEN k.a && k.b ELSE k.a && k.b && k.c END)
    FROM words_of_kinds AS a
    JOIN words_of_kinds AS b ON b.kind = a.kind AND b.number > a.number
    JOIN words_of_kinds AS c ON c.kind = a.kind AND c.number >= b.number
    CROSS JOIN LATERAL unnest(a.tokens, b.tokens, c.tokens) AS k (a, b, c)
    -- Most texts contain the shortest words.
    WHERE least(length(a.text), length(b.text), length(c.text)) > 3
        AND a.kind NOT IN ('message', 'person')
    GROUP BY a.kind, c.number > b.number
),
period AS MATERIALIZED (
    SELECT
        coalesce(%(after)s::timestamptz, '-infinity') AS after,
        coalesce(%(before)s::timestamptz, 'infinity') AS before
),
-- A word that many recent messages contain is common. The index would take long to list all others.
recent_messages AS MATERIALIZED (
    SELECT w.number AS word_number, r.* FROM (
        SELECT
            f.chat_id, f.id, f.sent_at,
            convert_to(
                coalesce(f.text_lower, '') || E'\n' || coalesce(f.file_name_lower, ''), 'UTF8'
            ) AS folded
        FROM chats AS c
        CROSS JOIN LATERAL (
            SELECT * FROM telegram_search AS f
            WHERE f.organization_id = %(organization_id)s
                AND f.chat_id = c.id
                AND f.sent_at >= (SELECT after FROM period)
                AND f.sent_at < (SELECT before FROM period)
            ORDER BY f.sent_at DESC
            LIMIT 1 + %(recent_limit)s / (SELECT count(*) FROM chats)
        ) AS f
    ) AS r
    JOIN words AS w ON position(w.bytes IN r.folded) > 0
),
hits AS MATERIALIZED (
    SELECT DISTINCT ON (h.kind, h.id, h.source_id, h.first_unit) h.*
    FROM terms AS w
    CROSS JOIN LATERAL (
        (
            SELECT
                'message' AS kind, f.chat_id || ':' || f.id AS id, c.source_id, f.sent_at AS at,
                f.folded, NULL::integer AS first_unit
            FROM (
                (
                    SELECT r.chat_id, r.id, r.sent_at, r.folded FROM recent_messages AS r
                    WHERE w.kind = 'message' AND r.word_number = w.number
                    ORDER BY
                        (SELECT count(*) FROM words AS o WHERE position(o.bytes IN r.folded) > 0) DESC,
                        r.sent_at DESC, r.chat_id, r.id
                    LIMIT %(hit_limit)s
                )
                UNION
                SELECT
                    o.chat_id, o.id, o.sent_at,
                    convert_to(
                        coalesce(o.text_lower, '') || E'\n' || coalesce(o.file_name_lower, ''), 'UTF8'
                    )
                FROM (
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
                            AND (
                                SELECT count(*) FROM recent_messages AS r
                                WHERE r.word_number = w.number
                            ) < %(hit_limit)s / 3
                    )
                    SELECT * FROM candidates AS o
                    WHERE o.sent_at >= (SELECT after FROM period)
                        AND o.sent_at < (SELECT before FROM period)
                    LIMIT %(examined_limit)s
                ) AS o
            ) AS f
            JOIN chats AS c ON c.id = f.chat_id
            ORDER BY
                (SELECT count(*) FROM words AS o WHERE position(o.bytes IN f.folded) > 0) DESC,
                f.sent_at DESC, f.chat_id, f.id
            LIMIT %(hit_limit)s
        )
        UNION ALL
        (
            SELECT d.kind, d.id, d.source_id, d.at, f.folded, d.first_unit
            FROM (
                SELECT * FROM (
                    SELECT
                        CASE k.kind WHEN 'note' THEN 'note' ELSE 'document' END AS kind, k.id,
                        k.source_id, k.updated_at AS at,
                        k.title_lower, c.first_unit
                    -- The order lets LIMIT always take the same candidates.
                    FROM (
                        WITH candidates AS MATERIALIZED (
                            SELECT n.knowledge_id, nullif(n.first_unit, -1) AS first_unit
                            FROM knowledge_search AS n
                            WHERE n.organization_id::text = %(organization_id)s::text
                                AND w.kind = 'document'
                                AND indexed_tokens(n.tokens) @@ ANY(w.tokens)
                        )
                        SELECT * FROM candidates ORDER BY knowledge_id, first_unit
                    ) AS c
                    CROSS JOIN LATERAL (
                        SELECT * FROM readable_knowledge AS k
                        WHERE k.organization_id = %(organization_id)s AND k.id = c.knowledge_id
                        OFFSET 0
                    ) AS k
                    WHERE k.source_id = ANY(%(documents_source_ids)s::text[])
                        AND NOT k.archived
                        AND (
                            c.first_unit IS NOT NULL
                            OR position(w.bytes IN convert_to(k.title_lower, 'UTF8')) > 0
                        )
                        AND k.updated_at >= (SELECT after FROM period)
                        AND k.updated_at < (SELECT before FROM period)
                    LIMIT %(examined_limit)s
                ) AS e
                -- The order lets LIMIT below stop reading chunks as soon as enough contain the word.
                ORDER BY e.at DESC, e.id, e.first_unit
                OFFSET 0
            ) AS d
            CROSS JOIN LATERAL (
                SELECT
                    convert_to(
                        d.title_lower || E'\n' || coalesce(
                            (
                                SELECT c.search_text FROM knowledge_chunks AS c
                                WHERE c.organization_id = %(organization_id)s
                                    AND c.knowledge_id = d.id
                                    AND c.first_unit = d.first_unit
                            ),
                            ''
                        ),
                        'UTF8'
                    ) AS folded
                OFFSET 0
            ) AS f
            WHERE position(w.bytes IN f.folded) > 0
            -- More records than are counted, because some have the same passage.
            LIMIT CASE WHEN w.number IS NULL THEN 4 ELSE 2 END * %(hit_limit)s
        )
        UNION ALL
        (
            SELECT 'post', m.id, m.source_id, m.created_at, convert_to(m.text_lower, 'UTF8'), NULL
            FROM (
                WITH candidates AS MATERIALIZED (
                    SELECT * FROM x_mentions AS m
                    WHERE m.organization_id::text = %(organization_id)s::text
                        AND (m.source_id, lower(m.account)) IN (SELECT id, account FROM accounts)
                        AND w.kind = 'post'
                        AND keyed_text_tokens(
                            m.organization_id, m.source_id || ' ' || lower(m.account), m.text_lower
                        ) @@ ANY(w.tokens)
                        AND position(w.bytes IN convert_to(m.text_lower, 'UTF8')) > 0
                )
                SELECT * FROM candidates AS m
                WHERE m.created_at >= (SELECT after FROM period)
                    AND m.created_at < (SELECT before FROM period)
                LIMIT %(examined_limit)s
            ) AS m
            ORDER BY m.created_at DESC, m.id
            LIMIT %(hit_limit)s
        )
        UNION ALL
        (
            SELECT
                'person', p.platform || ':' || p.person_id, p.source_id, p.last_active_at,
                convert_to(p.display_name_lower || E'\n' || coalesce(p.username_lower, ''), 'UTF8'),
                NULL
            FROM (
                WITH candidates AS MATERIALIZED (
                    SELECT * FROM people AS p
                    WHERE w.kind = 'person'
                        AND p.organization_id::text = %(organization_id)s::text
                        AND p.source_id || '' = ANY(%(people_source_ids)s::text[])
                        AND keyed_text_tokens(
                            p.organization_id, p.source_id,
                            p.display_name_lower || E'\n' || coalesce(p.username_lower, '')
                        ) @@ ANY(w.tokens)
                        AND (
                            position(w.bytes IN convert_to(p.display_name_lower, 'UTF8')) > 0
                            OR position(w.bytes IN convert_to(p.username_lower, 'UTF8')) > 0
                        )
                )
                SELECT * FROM candidates AS p
                WHERE NOT p.newer_source_ids && %(people_source_ids)s::text[]
                    AND p.last_active_at >= (SELECT after FROM period)
                    AND p.last_active_at < (SELECT before FROM period)
                LIMIT %(examined_limit)s
            ) AS p
            ORDER BY p.last_active_at DESC, p.platform, p.person_id
            LIMIT %(hit_limit)s
        )
        UNION ALL
        (
            SELECT
                'asset', a.id::text, a.source_id, a.updated_at, convert_to(a.name_folded, 'UTF8'),
                NULL
            FROM (
                WITH candidates AS MATERIALIZED (
                    SELECT * FROM assets AS a
                    WHERE a.organization_id::text = %(organization_id)s::text
                        AND a.source_id || '' = ANY(%(assets_source_ids)s::text[])
                        AND w.kind = 'asset'
                        AND keyed_text_tokens(a.organization_id, a.source_id, a.name_folded) @@ ANY(w.tokens)
                        AND position(w.bytes IN convert_to(a.name_folded, 'UTF8')) > 0
                )
                SELECT * FROM candidates AS a
                WHERE a.updated_at >= (SELECT after FROM period)
                    AND a.updated_at < (SELECT before FROM period)
                LIMIT %(examined_limit)s
            ) AS a
            ORDER BY a.updated_at DESC, a.id
            LIMIT %(hit_limit)s
        )
    ) AS h
    ORDER BY h.kind, h.id, h.source_id, h.first_unit
),
matches AS MATERIALIZED (
    SELECT
        h.kind, h.id, h.source_id, h.at, h.first_unit, w.number AS word_number,
        h.kind IN ('document', 'note') AND p.place <= position('\x0a'::bytea IN h.folded) AS is_in_title,
        substr(h.folded, greatest(1, p.place - 400), 800) AS surroundings,
        -- The ends of texts may be equal by chance.
        CASE WHEN length(h.folded) >= p.place + 99 THEN substr(h.folded, p.place, 100) END AS passage
    FROM hits AS h
    CROSS JOIN words AS w
    CROSS JOIN LATERAL (SELECT position(w.bytes IN h.folded) AS place OFFSET 0) AS p
    WHERE p.place > 0
),
-- A rarer word has a larger weight.
weights AS MATERIALIZED (
    SELECT
        m.word_number, w.bytes,
        (1000 / (1 + ln(count(DISTINCT (m.kind, m.id)))))::integer AS weight
    FROM matches AS m
    JOIN words AS w ON w.number = m.word_number
    GROUP BY m.word_number, w.bytes
),
-- The best chunk of each document, and its text around the rarest word.
scored AS MATERIALIZED (
    SELECT DISTINCT ON (m.kind, m.id)
        m.kind, m.id, m.source_id, m.at, m.first_unit, sum(w.weight) AS score,
        bool_or(m.is_in_title) AS is_in_title,
        array_agg(w.word_number ORDER BY w.weight DESC, w.word_number) AS word_numbers,
        (array_agg(m.surroundings ORDER BY w.weight DESC, w.word_number))[1] AS surroundings,
        (array_agg(m.passage ORDER BY w.weight DESC, w.word_number))[1] AS passage
    FROM matches AS m
    JOIN weights AS w ON w.word_number = m.word_number
    GROUP BY m.kind, m.id, m.source_id, m.at, m.first_unit
    ORDER BY m.kind, m.id, sum(w.weight) DESC, m.first_unit, m.source_id
),
-- What is shown of records with equally good words: first chunks whose other words are near the
-- rarest one, then those with a word in the title, then newer ones.
placed AS MATERIALIZED (
    SELECT
        s.kind, s.id, s.source_id, s.at, s.first_unit, s.score, s.word_numbers,
        coalesce(s.passage, convert_to(s.kind || ' ' || s.id, 'UTF8')) AS passage,
        ARRAY[
            coalesce(-n.nearness, 0), -s.is_in_title::integer, -extract(epoch FROM s.at)
        ] AS preference
    FROM scored AS s
    CROSS JOIN LATERAL (
        SELECT sum(w.weight) AS nearness FROM weights AS w
        WHERE s.first_unit IS NOT NULL
            AND cardinality(s.word_numbers) > 1
            AND position(w.bytes IN s.surroundings) > 0
    ) AS n
),
best AS MATERIALIZED (
    SELECT
        p.*,
        row_number() OVER (ORDER BY p.worth DESC, p.place, p.preference, p.kind, p.id) AS final_rank
    FROM (
        SELECT
            p.*,
            -- A record with a single word is worth less after others with the same word.
            p.score / CASE cardinality(p.word_numbers) WHEN 1 THEN
                row_number() OVER (PARTITION BY p.word_numbers ORDER BY p.place, p.preference, p.kind, p.id)
            ELSE 1 END AS worth
        FROM (
            -- Records of each kind take turns.
            SELECT
                p.*, row_number() OVER (PARTITION BY p.kind ORDER BY p.score DESC, p.preference, p.id) AS place
            FROM (
                -- Only the best chunk with a passage, which may be boilerplate.
                SELECT DISTINCT ON (p.passage) p.*
                FROM placed AS p
                ORDER BY p.passage, p.score DESC, p.preference, p.kind, p.id
            ) AS p
        ) AS p
    ) AS p
    ORDER BY p.worth DESC, p.place, p.preference, p.kind, p.id
    LIMIT %(row_limit)s
),
records AS MATERIALIZED (
    SELECT
        b.kind, b.id, b.source_id, b.at, b.word_numbers, b.final_rank, t.title, t.href, t.text, t.is_whole,
        ARRAY(
            SELECT n.sender_name || ': ' || n.text
            FROM (
                SELECT n.id, n.sender_name, n.text FROM telegram_messages AS n
                WHERE n.organization_id = %(organization_id)s
                    AND n.chat_id = CASE b.kind WHEN 'message' THEN split_part(b.id, ':', 1)::uuid END
                    AND n.id > CASE b.kind WHEN 'message' THEN split_part(b.id, ':', 2)::integer END
                ORDER BY n.id
                LIMIT %(following_limit)s
            ) AS n
            WHERE n.text IS NOT NULL
            ORDER BY n.id
        ) AS following
    FROM best AS b
    CROSS JOIN LATERAL (
        SELECT
            m.sender_name || ' in ' || c.title AS title,
            '/api/v1/telegram/chats/' || c.id || '/messages?'
                || CASE WHEN m.id < 2147483647 THEN 'before=' || (m.id::bigint + 1) || '&' ELSE '' END
                || 'limit=1' AS href,
            coalesce(m.text, m.file ->> 'fileName', m.detail, '') AS text, true AS is_whole
        FROM telegram_messages AS m
        JOIN chats AS c ON c.id = m.chat_id
        WHERE m.organization_id = %(organization_id)s
            AND m.chat_id = CASE b.kind WHEN 'message' THEN split_part(b.id, ':', 1)::uuid END
            AND m.id = CASE b.kind WHEN 'message' THEN split_part(b.id, ':', 2)::integer END
        UNION ALL
        SELECT
            k.title, NULL, coalesce(c.content || c.overlap, k.preview),
            coalesce(c.first_unit + c.unit_count = k.content_units AND c.first_unit = 0, false)
        FROM knowledge AS k
        LEFT JOIN knowledge_chunks AS c
            ON c.organization_id = %(organization_id)s
            AND c.knowledge_id = k.id
            AND c.first_unit = b.first_unit
        WHERE k.organization_id = %(organization_id)s
            AND k.id = CASE WHEN b.kind IN ('document', 'note') THEN b.id END
        UNION ALL
        SELECT '@' || m.author_username, m.url, m.text, true
        FROM x_mentions AS m
        WHERE m.organization_id = %(organization_id)s
            AND m.id = CASE b.kind WHEN 'post' THEN b.id END
        UNION ALL
        SELECT p.display_name, NULL, concat_ws(' ', p.display_name, p.username), true
        FROM people AS p
        WHERE p.organization_id = %(organization_id)s
            AND p.source_id = b.source_id
            AND p.person_id = CASE b.kind WHEN 'person' THEN substr(b.id, 1 + strpos(b.id, ':')) END
        UNION ALL
        SELECT a.name, NULL, a.name, true
        FROM assets AS a
        WHERE a.organization_id = %(organization_id)s
            AND a.id = CASE b.kind WHEN 'asset' THEN b.id::uuid END
    ) AS t
)
SELECT
    m.word_number, m.kind, m.source_id,
    least(count(DISTINCT m.id), %(hit_limit)s) AS record_count, NULL AS id,
    NULL AS title, NULL::timestamptz AS at, NULL AS href, NULL AS excerpt,
    NULL::boolean AS is_whole, NULL::bigint[] AS word_numbers, NULL::text[] AS following
FROM matches AS m
GROUP BY m.word_number, m.kind, m.source_id
UNION ALL
(
    SELECT
        NULL, r.kind, r.source_id, NULL, r.id, r.title, r.at, r.href, r.text, r.is_whole, r.word_numbers,
        r.following
    FROM records AS r
    ORDER BY r.final_rank
);
