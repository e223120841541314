-- The kinds of record that search/find_records and search/rank_records search, a row of slots for each. `f`
-- is a row of {table}, or a record found by its {id}; `s` is a row of {scopes}.
-- scopes: SELECT what a search reads one by one, such as chats: source_id, key text (that of the search tokens).
-- is_cut: whether only the newest records are searched.
-- in_scope: whether f is in s. is_last: whether no source that is read has a newer row of the record.
-- key, folded: the expressions of the index of search tokens.
-- last: SELECT the last record that is searched, (at, id); no row if all are.
-- record: SELECT of f.id: source_id, title, href text (null if the caller derives it from the kind and id), and
--   texts text[], of which the first that contains the term is shown.
-- following: the messages after f.
-- postings: the parts of rank_records that find the records of each word: postings (number bigint: of the word,
--   id, source_id, at, impact integer: 16 times BM25's share of the word) and posted (number, is_exact boolean).
-- passage: SELECT of f.id: kind, title, href, excerpt text, folded text, is_whole boolean, as rank_records returns them.

-- following: NULL
-- last: SELECT NULL::timestamptz AS at, NULL AS id LIMIT 0
-- is_last: true
-- is_cut: false
-- postings:
terms AS MATERIALIZED (
    SELECT w.number, w.bytes, keyed_term_tokens(%(organization_id)s, ARRAY(SELECT s.key FROM scopes AS s), w.stem) AS tokens
    FROM words AS w
),
-- Records with all words are candidates too, because a common word has too many.
all_terms AS MATERIALIZED (
    SELECT * FROM terms
    UNION ALL
    SELECT NULL, NULL, array_agg(a.tokens ORDER BY a.key)
    FROM (
        SELECT t.key, string_agg('(' || t.token::text || ')', ' & ')::tsquery AS tokens
        FROM terms AS s
        CROSS JOIN LATERAL unnest(s.tokens) WITH ORDINALITY AS t (token, key)
        GROUP BY t.key
        HAVING count(*) > 1
    ) AS a
),
candidates AS MATERIALIZED (
    SELECT w.number, f.*
    FROM all_terms AS w
    CROSS JOIN LATERAL (
        -- Materialized, so that LIMIT has no effect on the plan.
        WITH matches AS MATERIALIZED (
            SELECT * FROM {table} AS f
            -- The casts keep PostgreSQL from also reading other indexes.
            WHERE f.organization_id::text = %(organization_id)s::text
                AND {key} || '' = ANY(ARRAY(SELECT s.key FROM scopes AS s))
                AND keyed_text_tokens(f.organization_id, {key}, {folded}) @@ ANY(w.tokens)
                AND (w.bytes IS NULL OR position(w.bytes IN convert_to({folded}, 'UTF8')) > 0)
        )
        SELECT ({id}) COLLATE "C" AS id, s.source_id, {at} AS at, {folded} AS folded
        FROM matches AS f
        JOIN scopes AS s ON {in_scope}
        WHERE {is_last} AND {at} >= (SELECT after FROM period) AND {at} < (SELECT before FROM period)
        ORDER BY {at} DESC, ({id}) COLLATE "C"
        LIMIT %(posting_limit)s
    ) AS f
),
-- For a mean length of 200 characters; less inside a longer word.
postings AS MATERIALIZED (
    SELECT DISTINCT
        w.number, f.id, f.source_id, f.at,
        CASE WHEN position(' ' || w.text IN ' ' || f.folded) > 0 THEN 160 ELSE 60 END
            / (13 + length(f.folded) / 22) AS impact
    FROM candidates AS f
    JOIN words AS w
        ON w.number = f.number
        OR f.number IS NULL AND position(w.bytes IN convert_to(f.folded, 'UTF8')) > 0
),
posted AS MATERIALIZED (
    SELECT f.number, count(*) < %(posting_limit)s AS is_exact FROM candidates AS f GROUP BY f.number
)
-- passage:
        SELECT
            '{kind}' AS kind, r.title, r.href, array_to_string(r.texts, E'\n') AS excerpt,
            fold_text(array_to_string(r.texts, ' ')) AS folded, true AS is_whole
        FROM (
{record}
        ) AS r

-- row: documents
-- kind: document
-- index: knowledge_search_tokens; knowledge_pkey, knowledge_suppressions_pkey, knowledge_chunks_pkey
-- scopes:
    SELECT s.id AS source_id, search_key(%(organization_id)s, s.id) AS key FROM sources AS s
    WHERE s.organization_id = %(organization_id)s AND s.id = ANY(%(source_ids)s::text[])
-- postings:
levels AS MATERIALIZED (
    SELECT
        w.number, l.impact,
        string_agg(quote_literal(s.key || E'\n' || l.impact || left(w.text, 40)), ' | ')::tsquery AS tokens
    FROM words AS w
    CROSS JOIN generate_series(0, 7) AS l (impact)
    CROSS JOIN scopes AS s
    GROUP BY w.number, l.impact
),
whole AS MATERIALIZED (
    SELECT w.number, p.*
    FROM words AS w
    CROSS JOIN LATERAL (
        SELECT f.*
        FROM (SELECT * FROM levels AS l WHERE l.number = w.number ORDER BY l.impact DESC) AS l
        CROSS JOIN LATERAL (
            WITH matches AS MATERIALIZED (
                SELECT f.knowledge_id AS id, f.source_id, f.updated_at AS at, 2 * l.impact + 1 AS impact
                FROM knowledge_search AS f
                -- A cast keeps PostgreSQL from also reading an index of the whole organization.
                WHERE f.organization_id::text = %(organization_id)s::text
                    AND indexed_tokens(f.tokens) @@ l.tokens
            )
            SELECT f.* FROM matches AS f
            WHERE f.source_id = ANY(%(source_ids)s::text[])
                AND f.at >= (SELECT after FROM period)
                AND f.at < (SELECT before FROM period)
            ORDER BY f.id
            LIMIT %(posting_limit)s
        ) AS f
        LIMIT %(posting_limit)s
    ) AS p
),
-- A word that few documents have is also looked for within words.
rare AS MATERIALIZED (
    SELECT w.number, w.bytes, keyed_term_tokens(%(organization_id)s, %(source_ids)s::text[], w.stem) AS tokens
    FROM words AS w
    WHERE (SELECT count(*) FROM whole AS p WHERE p.number = w.number) < %(few)s
),
candidates AS MATERIALIZED (
    SELECT w.number, w.bytes, f.*
    FROM rare AS w
    CROSS JOIN LATERAL (
        SELECT f.knowledge_id AS id, f.first_unit
        FROM knowledge_search AS f
        WHERE f.organization_id::text = %(organization_id)s::text
            AND indexed_tokens(f.tokens) @@ ANY(w.tokens)
        ORDER BY f.knowledge_id, f.first_unit
        LIMIT %(loose_limit)s
    ) AS f
),
postings AS MATERIALIZED (
    SELECT * FROM whole
    UNION ALL
    SELECT DISTINCT c.number, c.id, k.source_id, k.updated_at, 1
    FROM candidates AS c
    CROSS JOIN LATERAL (
        SELECT * FROM readable_knowledge AS k
        WHERE k.organization_id = %(organization_id)s AND k.id = c.id
        OFFSET 0
    ) AS k
    LEFT JOIN LATERAL (
        SELECT t.search_text FROM knowledge_chunks AS t
        WHERE t.organization_id = %(organization_id)s AND t.knowledge_id = c.id AND t.first_unit = c.first_unit
        OFFSET 0
    ) AS t ON true
    WHERE k.source_id = ANY(%(source_ids)s::text[])
        AND NOT k.archived
        AND k.updated_at >= (SELECT after FROM period)
        AND k.updated_at < (SELECT before FROM period)
        AND position(c.bytes IN convert_to(coalesce(t.search_text, k.title_lower), 'UTF8')) > 0
),
posted AS MATERIALIZED (
    SELECT w.number, (SELECT count(*) FROM candidates AS c WHERE c.number = w.number) < %(loose_limit)s AS is_exact
    FROM rare AS w
)
-- passage:
        SELECT
            CASE k.kind WHEN 'note' THEN 'note' ELSE 'document' END AS kind, k.title, NULL AS href,
            coalesce(c.content || c.overlap, k.preview) AS excerpt, k.title_lower || E'\n' || coalesce(c.search_text, '') AS folded,
            coalesce(c.first_unit = 0 AND c.unit_count = k.content_units, false) AS is_whole
        FROM readable_knowledge AS k
        LEFT JOIN LATERAL (
            SELECT t.first_unit
            FROM (
                SELECT t.first_unit, convert_to(t.search_text, 'UTF8') AS bytes FROM knowledge_chunks AS t
                WHERE t.organization_id = %(organization_id)s AND t.knowledge_id = f.id
                ORDER BY t.first_unit
                LIMIT %(chunk_limit)s
            ) AS t
            JOIN words AS w ON position(w.bytes IN t.bytes) > 0
            JOIN weights AS v ON v.number = w.number
            GROUP BY t.first_unit
            ORDER BY sum(v.weight) DESC, t.first_unit
            LIMIT 1
        ) AS b ON true
        LEFT JOIN knowledge_chunks AS c
            ON c.organization_id = %(organization_id)s AND c.knowledge_id = f.id AND c.first_unit = b.first_unit
        WHERE k.organization_id = %(organization_id)s AND k.id = f.id

-- row: messages
-- kind: message
-- index: telegram_search_by_chat, telegram_search_tokens; telegram_messages_pkey
-- table: telegram_search
-- scopes:
    SELECT c.source_id, c.id::text AS key, c.id, c.tracked_message_count
    FROM telegram_chats AS c
    WHERE c.organization_id = %(organization_id)s AND c.source_id = ANY(%(source_ids)s::text[])
-- in_scope: f.chat_id = s.id
-- is_cut: (SELECT bool_or(s.tracked_message_count > %(pool_limit)s) FROM scopes AS s)
-- key: f.chat_id::text
-- folded: coalesce(f.text_lower, '') || E'\n' || coalesce(f.file_name_lower, '')
-- id: f.chat_id || ':' || f.id
-- at: f.sent_at
-- record:
        SELECT
            c.source_id, m.sender_name || ' in ' || c.title AS title,
            '/api/v1/telegram/chats/' || c.id || '/messages?'
                -- The largest possible id needs no `before`.
                || CASE WHEN m.id < 2147483647 THEN 'before=' || (m.id::bigint + 1) || '&' ELSE '' END
                || 'limit=1' AS href,
            ARRAY[m.text, m.file ->> 'fileName', m.detail] AS texts
        FROM telegram_messages AS m
        JOIN telegram_chats AS c ON c.organization_id = %(organization_id)s AND c.id = m.chat_id
        WHERE m.organization_id = %(organization_id)s
            AND m.chat_id = split_part(f.id, ':', 1)::uuid
            AND m.id = split_part(f.id, ':', 2)::integer
-- following:
    ARRAY(
        SELECT n.sender_name || ': ' || n.text
        FROM (
            SELECT n.id, n.sender_name, n.text FROM telegram_messages AS n
            WHERE n.organization_id = %(organization_id)s
                AND n.chat_id = split_part(f.id, ':', 1)::uuid
                AND n.id > split_part(f.id, ':', 2)::integer
            ORDER BY n.id
            LIMIT %(following_limit)s
        ) AS n
        WHERE n.text IS NOT NULL
        ORDER BY n.id
    )

-- row: posts
-- kind: post
-- index: x_mentions_by_account, x_mentions_tokens; x_mentions_pkey
-- table: x_mentions
-- scopes:
    SELECT s.id AS source_id, s.id || ' ' || lower(s.account) AS key, lower(s.account) AS account
    FROM sources AS s
    WHERE s.organization_id = %(organization_id)s AND s.id = ANY(%(source_ids)s::text[])
-- in_scope: f.source_id = s.source_id AND lower(f.account) = s.account
-- key: f.source_id || ' ' || lower(f.account)
-- folded: f.text_lower
-- id: f.id
-- at: f.created_at
-- record:
        SELECT m.source_id, '@' || m.author_username AS title, m.url AS href, ARRAY[m.text] AS texts
        FROM x_mentions AS m
        WHERE m.organization_id = %(organization_id)s AND m.id = f.id

-- row: people
-- kind: person
-- index: people_by_source, people_tokens, people_by_time, people_counts_pkey; people_by_person
-- table: people
-- scopes:
    SELECT s.id AS source_id, s.id AS key FROM sources AS s
    WHERE s.organization_id = %(organization_id)s AND s.id = ANY(%(source_ids)s::text[])
-- in_scope: f.source_id = s.source_id
-- is_cut:
    (
        SELECT sum(n.people_count) > %(pool_limit)s FROM people_counts AS n
        WHERE n.organization_id = %(organization_id)s
            AND n.source_id = ANY(%(source_ids)s::text[])
            AND NOT n.newer_source_ids && %(source_ids)s::text[]
    )
-- is_last: NOT f.newer_source_ids && %(source_ids)s::text[]
-- key: f.source_id
-- folded: f.display_name_lower || E'\n' || coalesce(f.username_lower, '')
-- id: f.platform || ':' || f.person_id
-- at: f.last_active_at
-- last:
    SELECT p.last_active_at AS at, (p.platform || ':' || p.person_id) COLLATE "C" AS id
    FROM people AS p
    WHERE p.organization_id = %(organization_id)s
        AND p.source_id = ANY(%(source_ids)s::text[])
        AND NOT p.newer_source_ids && %(source_ids)s::text[]
        AND {is_cut}
    ORDER BY p.last_active_at DESC, 2
    OFFSET %(pool_limit)s - 1 LIMIT 1
-- record:
        SELECT p.source_id, p.display_name AS title, NULL AS href, ARRAY[p.display_name, p.username] AS texts
        FROM people AS p
        WHERE p.organization_id = %(organization_id)s
            AND p.source_id = ANY(%(source_ids)s::text[])
            AND p.platform = split_part(f.id, ':', 1)
            AND p.person_id = substr(f.id, 1 + strpos(f.id, ':'))
            AND NOT p.newer_source_ids && %(source_ids)s::text[]

-- row: assets
-- kind: asset
-- index: assets_by_source_and_time, assets_tokens; assets_pkey
-- table: assets
-- scopes:
    SELECT s.id AS source_id, s.id AS key FROM sources AS s
    WHERE s.organization_id = %(organization_id)s AND s.id = ANY(%(source_ids)s::text[])
-- in_scope: f.source_id = s.source_id
-- key: f.source_id
-- folded: f.name_folded
-- id: f.id::text
-- at: f.updated_at
-- record:
        SELECT a.source_id, a.name AS title, NULL AS href, ARRAY[a.name] AS texts
        FROM assets AS a
        WHERE a.organization_id = %(organization_id)s AND a.id = f.id::uuid
