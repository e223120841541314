-- The newest records that contain a term, of every kind, each with the text around its first
-- match. Run unprepared: the best plan depends on the term.
-- Parameters: organization_id uuid; knowledge_ids, telegram_ids, x_ids, people_ids, asset_ids,
--   profile_ids, token_ids text[]: the sources that each kind of record may come from;
--   q text or null, pattern text or null (q for LIKE), after and before timestamptz or null,
--   row_limit integer.
-- Rows: pool_cut (whether some records were not examined), then kind, id, source_id, title, at,
--   href (null where the kind tells it), excerpt, match_at (1-based place of the term in the
--   excerpt, 0 for none), starts and ends (whether the excerpt begins and ends where the text
--   does); null columns where nothing was found.
-- Index: knowledge_by_time or knowledge_titles and knowledge_chunks_search; telegram_search_by_time
--   or telegram_search_terms; x_mentions_by_time or x_mentions_search; people_by_time,
--   people_by_person;
--   assets_by_time or assets_search.
WITH knowledge_items AS (
    SELECT
        CASE k.kind WHEN 'note' THEN 'note' ELSE 'document' END AS kind,
        k.id, k.source_id, k.title, k.updated_at AS at, NULL::text AS href, k.preview AS text
    FROM knowledge AS k
    WHERE k.organization_id = %(organization_id)s
        AND k.source_id = ANY(%(knowledge_ids)s::text[])
        AND NOT k.archived
        AND NOT EXISTS (
            SELECT FROM knowledge_suppressions AS s
            WHERE s.organization_id = k.organization_id AND s.knowledge_id = k.id
        )
        AND (%(pattern)s::text IS NULL OR k.id IN (
            SELECT t.id FROM knowledge AS t
            WHERE t.organization_id = %(organization_id)s AND t.title_lower LIKE lower(%(pattern)s)
            UNION ALL
            SELECT c.knowledge_id FROM knowledge_chunks AS c
            WHERE c.organization_id = %(organization_id)s AND c.search_text LIKE lower(%(pattern)s)
        ))
        AND (%(after)s::timestamptz IS NULL OR k.updated_at >= %(after)s)
        AND (%(before)s::timestamptz IS NULL OR k.updated_at < %(before)s)
    ORDER BY k.updated_at DESC, 1, k.id
    LIMIT %(row_limit)s
),
messages AS (
    SELECT
        'message' AS kind, c.id || ':' || m.id AS id, c.source_id,
        m.sender_name || ' in ' || c.title AS title, f.sent_at AS at,
        '/api/v1/telegram/chats/' || c.id || '/messages?before=' || (m.id::bigint + 1) || '&limit=1'
            AS href,
        CASE
            WHEN f.file_name_lower LIKE lower(%(pattern)s)
                AND (f.text_lower LIKE lower(%(pattern)s)) IS NOT TRUE
                THEN m.file ->> 'fileName'
            ELSE coalesce(m.text, m.file ->> 'fileName', m.detail, '')
        END AS text
    FROM telegram_search AS f
    JOIN telegram_chats AS c ON c.organization_id = f.organization_id AND c.id = f.chat_id
    JOIN telegram_messages AS m
        ON m.organization_id = f.organization_id AND m.chat_id = f.chat_id AND m.id = f.id
    WHERE f.organization_id = %(organization_id)s
        AND c.source_id = ANY(%(telegram_ids)s::text[])
        AND (%(pattern)s::text IS NULL
            OR f.text_lower LIKE lower(%(pattern)s)
            OR f.file_name_lower LIKE lower(%(pattern)s))
        AND (%(after)s::timestamptz IS NULL OR f.sent_at >= %(after)s)
        AND (%(before)s::timestamptz IS NULL OR f.sent_at < %(before)s)
    ORDER BY f.sent_at DESC, (c.id || ':' || m.id) COLLATE "C"
    LIMIT %(row_limit)s
),
posts AS (
    SELECT
        'post' AS kind, m.id, m.source_id, '@' || m.author_username AS title,
        m.created_at AS at, m.url AS href, m.text
    FROM x_mentions AS m
    JOIN sources AS s ON s.organization_id = m.organization_id AND s.id = m.source_id
    WHERE m.organization_id = %(organization_id)s
        AND m.source_id = ANY(%(x_ids)s::text[])
        AND lower(m.account) = lower(s.account)
        AND (%(pattern)s::text IS NULL OR m.text_lower LIKE lower(%(pattern)s))
        AND (%(after)s::timestamptz IS NULL OR m.created_at >= %(after)s)
        AND (%(before)s::timestamptz IS NULL OR m.created_at < %(before)s)
    ORDER BY m.created_at DESC, m.id
    LIMIT %(row_limit)s
),
newest_people AS NOT MATERIALIZED (
    -- Of a person's rows the one of the source where they were active last. Found by a probe a
    -- row, so that a page reads no more than itself.
    SELECT p.* FROM people AS p
    WHERE p.organization_id = %(organization_id)s
        AND p.source_id = ANY(%(people_ids)s::text[])
        AND NOT EXISTS (
            SELECT FROM people AS n
            WHERE n.organization_id = p.organization_id
                AND n.platform = p.platform
                AND n.person_id = p.person_id
                AND n.source_id = ANY(%(people_ids)s::text[])
                AND (
                    n.last_active_at > p.last_active_at
                    OR (n.last_active_at = p.last_active_at AND n.source_id < p.source_id)
                )
        )
),
persons AS (
    SELECT
        'person' AS kind, (p.platform || ':' || p.person_id) COLLATE "C" AS id, p.source_id,
        p.display_name AS title, p.last_active_at AS at, NULL::text AS href,
        CASE
            WHEN p.username IS NULL THEN p.display_name
            WHEN p.display_name_lower LIKE lower(%(pattern)s) THEN p.display_name
            ELSE p.username
        END AS text
    FROM (
        SELECT * FROM newest_people
        ORDER BY last_active_at DESC, (platform || ':' || person_id) COLLATE "C"
        LIMIT 10000
    ) AS p
    WHERE (%(pattern)s::text IS NULL
            OR p.display_name_lower LIKE lower(%(pattern)s)
            OR p.username_lower LIKE lower(%(pattern)s))
        AND (%(after)s::timestamptz IS NULL OR p.last_active_at >= %(after)s)
        AND (%(before)s::timestamptz IS NULL OR p.last_active_at < %(before)s)
    ORDER BY p.last_active_at DESC, 2
    LIMIT %(row_limit)s
),
asset_items AS (
    SELECT
        'asset' AS kind, a.id::text AS id, a.source_id, a.name AS title, a.updated_at AS at,
        NULL::text AS href, a.name AS text
    FROM assets AS a
    WHERE a.organization_id = %(organization_id)s
        AND a.source_id = ANY(%(asset_ids)s::text[])
        AND (%(pattern)s::text IS NULL OR a.name_lower LIKE lower(%(pattern)s))
        AND (%(after)s::timestamptz IS NULL OR a.updated_at >= %(after)s)
        AND (%(before)s::timestamptz IS NULL OR a.updated_at < %(before)s)
    ORDER BY a.updated_at DESC, a.id
    LIMIT %(row_limit)s
),
profile AS (
    SELECT
        'profile' AS kind, o.organization_id::text AS id, s.id AS source_id,
        o.display_name AS title, o.updated_at AS at, NULL::text AS href,
        CASE
            WHEN lower(o.slug) LIKE lower(%(pattern)s)
                AND lower(o.display_name) NOT LIKE lower(%(pattern)s) THEN o.slug
            ELSE o.display_name
        END AS text
    FROM organizations AS o
    JOIN sources AS s
        ON s.organization_id = o.organization_id AND s.id = ANY(%(profile_ids)s::text[])
    WHERE o.organization_id = %(organization_id)s
        AND (%(pattern)s::text IS NULL
            OR lower(o.display_name) LIKE lower(%(pattern)s)
            OR lower(o.slug) LIKE lower(%(pattern)s))
        AND (%(after)s::timestamptz IS NULL OR o.updated_at >= %(after)s)
        AND (%(before)s::timestamptz IS NULL OR o.updated_at < %(before)s)
),
token AS (
    SELECT
        'token' AS kind, t.address AS id, t.source_id, t.name || ' (' || t.symbol || ')' AS title,
        s.updated_at AS at, NULL::text AS href,
        CASE
            WHEN lower(t.name) LIKE lower(%(pattern)s) THEN t.name
            WHEN lower(t.symbol) LIKE lower(%(pattern)s) THEN t.symbol
            WHEN lower(t.address) LIKE lower(%(pattern)s) THEN t.address
            ELSE t.name || ' (' || t.symbol || ') ' || t.address
        END AS text
    FROM tokens AS t
    JOIN sources AS s ON s.organization_id = t.organization_id AND s.id = t.source_id
    WHERE t.organization_id = %(organization_id)s
        AND t.source_id = ANY(%(token_ids)s::text[])
        AND lower(t.address) = lower(s.account)
        AND (%(pattern)s::text IS NULL
            OR lower(t.name) LIKE lower(%(pattern)s)
            OR lower(t.symbol) LIKE lower(%(pattern)s)
            OR lower(t.address) LIKE lower(%(pattern)s))
        AND (%(after)s::timestamptz IS NULL OR s.updated_at >= %(after)s)
        AND (%(before)s::timestamptz IS NULL OR s.updated_at < %(before)s)
),
found AS (
    SELECT * FROM (
        SELECT * FROM knowledge_items
        UNION ALL SELECT * FROM messages
        UNION ALL SELECT * FROM posts
        UNION ALL SELECT * FROM persons
        UNION ALL SELECT * FROM asset_items
        UNION ALL SELECT * FROM profile
        UNION ALL SELECT * FROM token
    ) AS every
    ORDER BY at DESC NULLS LAST, kind, id COLLATE "C"
    LIMIT %(row_limit)s
)
SELECT
    pools.cut, f.kind, f.id, f.source_id, f.title, f.at, f.href,
    CASE
        WHEN place.match_at = 0 THEN left(whole.text, 4000)
        ELSE substr(whole.text, place.excerpt_at, 1400)
    END AS excerpt,
    CASE WHEN place.match_at = 0 THEN 0 ELSE place.match_at - place.excerpt_at + 1 END AS match_at,
    chunk.before IS NULL AND place.excerpt_at = 1 AS starts,
    chunk.after IS NULL AND place.excerpt_at + 1400 > length(whole.text) AS ends
FROM (
    SELECT
        EXISTS (
            SELECT FROM telegram_chats AS c
            WHERE c.organization_id = %(organization_id)s
                AND c.source_id = ANY(%(telegram_ids)s::text[])
                AND c.tracked_message_count > 10000
        ) OR (
            -- Rows are quickly counted; only where they are many, so are the people.
            (
                SELECT count(*) FROM (
                    SELECT FROM people AS p
                    WHERE p.organization_id = %(organization_id)s
                        AND p.source_id = ANY(%(people_ids)s::text[])
                    LIMIT 10001
                ) AS rows_of_people
            ) > 10000
            AND (
                SELECT count(*) FROM (SELECT FROM newest_people LIMIT 10001) AS some_people
            ) > 10000
        ) AS cut
) AS pools
LEFT JOIN found AS f ON true
LEFT JOIN LATERAL (
    SELECT
        c.content,
        (
            SELECT right(b.content, 600) FROM knowledge_chunks AS b
            WHERE b.organization_id = c.organization_id AND b.knowledge_id = c.knowledge_id
                AND b.first_unit < c.first_unit
            ORDER BY b.first_unit DESC LIMIT 1
        ) AS before,
        (
            SELECT left(a.content, 1000) FROM knowledge_chunks AS a
            WHERE a.organization_id = c.organization_id AND a.knowledge_id = c.knowledge_id
                AND a.first_unit > c.first_unit
            ORDER BY a.first_unit LIMIT 1
        ) AS after
    FROM knowledge_chunks AS c
    WHERE f.kind IN ('document', 'note')
        AND c.organization_id = %(organization_id)s
        AND c.knowledge_id = f.id
        AND strpos(c.search_text, lower(%(q)s)) > 0
    ORDER BY c.first_unit
    LIMIT 1
) AS chunk ON true
CROSS JOIN LATERAL (
    SELECT coalesce(
        coalesce(chunk.before, '') || chunk.content || coalesce(chunk.after, ''), f.text
    ) AS text
) AS whole
CROSS JOIN LATERAL (
    SELECT
        coalesce(strpos(lower(whole.text), lower(%(q)s)), 0) AS match_at,
        greatest(1, coalesce(strpos(lower(whole.text), lower(%(q)s)), 0) - 600) AS excerpt_at
) AS place
ORDER BY f.at DESC NULLS LAST, f.kind, f.id COLLATE "C";
