-- The newest records that contain a term, or the newest at all, of every kind, each with the text
-- around its first match. Of each kind the newest are looked at first, among which a common term
-- is; where they hold too few, the index gives what may contain it. So no plan depends on the
-- term, and one serves all. Texts are compared as bytes: strpos takes as many steps as text and term
-- have characters, multiplied, where a text repeats one; this compares a term at once.
-- Parameters: organization_id uuid; knowledge_ids, telegram_ids, x_ids, people_ids, asset_ids,
--   profile_ids, token_ids text[]: the sources that each kind of record may come from;
--   q text, after and before timestamptz or null; row_limit bigint; recent_limit bigint: how many
--   messages are looked at before the index is (of knowledge a tenth, of others half as many);
--   without q at least ten times row_limit.
-- Rows: pool_cut (whether some records were not examined), then kind, id, source_id, title, at,
--   href (null where the kind tells it), excerpt, match_at (1-based place of the term in the
--   excerpt, 0 for none), starts and ends (whether the excerpt begins and ends where the text
--   does); null columns where nothing was found.
-- Index: knowledge_by_time, knowledge_titles, knowledge_chunks_search; telegram_search_by_time,
--   telegram_search_terms; x_mentions_by_time, x_mentions_search; people_by_time, people_search,
--   people_counts_pkey; assets_by_time, assets_search.
WITH term AS MATERIALIZED (
    SELECT
        lower(%(q)s::text) AS text, convert_to(lower(%(q)s::text), 'UTF8') AS bytes,
        term_pieces(lower(%(q)s::text)) AS pieces,
        coalesce(%(after)s::timestamptz, '-infinity') AS after,
        coalesce(%(before)s::timestamptz, 'infinity') AS before,
        least(%(recent_limit)s::bigint, 1000) / 3 AS few
),
chats AS MATERIALIZED (
    SELECT c.id, c.source_id, c.title, c.tracked_message_count
    FROM telegram_chats AS c
    WHERE c.organization_id = %(organization_id)s AND c.source_id = ANY(%(telegram_ids)s::text[])
),
recent_messages AS MATERIALIZED (
    SELECT r.chat_id, r.id, r.sent_at FROM (
        SELECT f.* FROM telegram_search AS f
        WHERE f.organization_id = %(organization_id)s
            AND f.sent_at >= (SELECT after FROM term)
            AND f.sent_at < (SELECT before FROM term)
            AND cardinality(%(telegram_ids)s::text[]) > 0
            AND (
                (SELECT text FROM term) IS NOT NULL
                OR f.chat_id = ANY(ARRAY(SELECT id FROM chats))
            )
        ORDER BY f.sent_at DESC
        FETCH FIRST (%(recent_limit)s::bigint) ROWS WITH TIES
    ) AS r
    WHERE r.chat_id = ANY(ARRAY(SELECT id FROM chats)) AND (
        (SELECT text FROM term) IS NULL
        OR position((SELECT bytes FROM term) IN convert_to(r.text_lower, 'UTF8')) > 0
        OR position((SELECT bytes FROM term) IN convert_to(r.file_name_lower, 'UTF8')) > 0
    )
    ORDER BY r.sent_at DESC, (r.chat_id || ':' || r.id) COLLATE "C"
    LIMIT %(row_limit)s
),
other_messages AS (
    SELECT r.chat_id, r.id, r.sent_at FROM (
        SELECT c.* FROM (
            SELECT f.* FROM telegram_search AS f
            WHERE f.organization_id = %(organization_id)s
                AND text_pieces(
                    coalesce(f.text_lower, '') || E'\n' || coalesce(f.file_name_lower, '')
                ) @@ (SELECT pieces FROM term)
                AND cardinality(%(telegram_ids)s::text[]) > 0
                AND (SELECT count(*) FROM recent_messages) < %(row_limit)s
                AND EXISTS (
                    SELECT FROM telegram_search AS n
                    WHERE n.organization_id = %(organization_id)s
                        AND n.sent_at >= (SELECT after FROM term)
                        AND n.sent_at < (SELECT before FROM term)
                    OFFSET %(recent_limit)s::bigint
                )
            OFFSET 0
        ) AS c
        WHERE c.chat_id = ANY(ARRAY(SELECT id FROM chats))
            AND c.sent_at >= (SELECT after FROM term)
            AND c.sent_at < (SELECT before FROM term)
            AND (
                position((SELECT bytes FROM term) IN convert_to(c.text_lower, 'UTF8')) > 0
                OR position((SELECT bytes FROM term) IN convert_to(c.file_name_lower, 'UTF8')) > 0
            )
        ORDER BY c.sent_at DESC
        FETCH FIRST (%(row_limit)s) ROWS WITH TIES
    ) AS r
    ORDER BY r.sent_at DESC, (r.chat_id || ':' || r.id) COLLATE "C"
    LIMIT %(row_limit)s
),
messages AS MATERIALIZED (
    SELECT
        'message' AS kind, c.id || ':' || m.id AS id, c.source_id,
        m.sender_name || ' in ' || c.title AS title, m.sent_at AS at,
        '/api/v1/telegram/chats/' || c.id || '/messages?'
            -- None comes after the last id that there can be.
            || CASE WHEN m.id < 2147483647 THEN 'before=' || (m.id::bigint + 1) || '&' ELSE '' END
            || 'limit=1'
            AS href,
        CASE
            WHEN position(
                    (SELECT bytes FROM term) IN convert_to(lower(m.file ->> 'fileName'), 'UTF8')
                ) > 0
                AND (
                    position((SELECT bytes FROM term) IN convert_to(lower(m.text), 'UTF8')) > 0
                ) IS NOT TRUE
                THEN m.file ->> 'fileName'
            ELSE coalesce(m.text, m.file ->> 'fileName', m.detail, '')
        END AS text
    FROM (SELECT * FROM recent_messages UNION SELECT * FROM other_messages) AS f
    JOIN chats AS c ON c.id = f.chat_id
    JOIN telegram_messages AS m
        ON m.organization_id = %(organization_id)s AND m.chat_id = f.chat_id AND m.id = f.id
),
since AS MATERIALIZED (
    -- With as many messages as are asked for, nothing older matters.
    SELECT CASE WHEN count(*) = %(row_limit)s THEN min(at) ELSE (SELECT after FROM term) END AS at
    FROM messages
),
knowledge_since AS MATERIALIZED (
    SELECT EXISTS (
        SELECT FROM knowledge AS n
        WHERE n.organization_id = %(organization_id)s
            AND n.updated_at >= (SELECT at FROM since)
            AND n.updated_at < (SELECT before FROM term)
    ) AS is_any
),
candidates AS NOT MATERIALIZED (
    SELECT t.id, NULL::integer AS first_unit
    FROM knowledge AS t
    WHERE t.organization_id = %(organization_id)s
        AND text_pieces(t.title_lower) @@ (SELECT pieces FROM term)
        AND position((SELECT bytes FROM term) IN convert_to(t.title_lower, 'UTF8')) > 0
        AND cardinality(%(knowledge_ids)s::text[]) > 0
        AND (SELECT is_any FROM knowledge_since)
    UNION ALL
    SELECT c.knowledge_id, c.first_unit
    FROM knowledge_chunks AS c
    WHERE c.organization_id = %(organization_id)s
        AND c.pieces @@ (SELECT pieces FROM term)
        AND cardinality(%(knowledge_ids)s::text[]) > 0
        AND (SELECT is_any FROM knowledge_since)
),
-- A document is long to read, so that candidates are asked for first, and all used if few.
few_candidates AS MATERIALIZED (SELECT * FROM candidates LIMIT (SELECT few FROM term)),
recent_knowledge AS MATERIALIZED (
    SELECT r.id FROM (
        SELECT
            k.id, k.kind, k.title_lower, k.updated_at,
            sum(k.content_units) OVER (ORDER BY k.updated_at DESC) AS units
        FROM knowledge AS k
        WHERE k.organization_id = %(organization_id)s
            AND k.source_id = ANY(%(knowledge_ids)s::text[])
            AND NOT k.archived
            AND NOT EXISTS (
                SELECT FROM knowledge_suppressions AS s
                WHERE s.organization_id = k.organization_id AND s.knowledge_id = k.id
            )
            AND k.updated_at >= (SELECT at FROM since)
            AND k.updated_at < (SELECT before FROM term)
            AND ((SELECT text FROM term) IS NULL OR (SELECT count(*) FROM few_candidates) = (SELECT few FROM term))
        ORDER BY k.updated_at DESC
        FETCH FIRST (%(recent_limit)s::bigint / 10) ROWS WITH TIES
    ) AS r
    WHERE (SELECT text FROM term) IS NULL
        OR r.units < 1000000 AND (
            position((SELECT bytes FROM term) IN convert_to(r.title_lower, 'UTF8')) > 0
            OR (
                SELECT true FROM knowledge_chunks AS c
                WHERE c.organization_id = %(organization_id)s
                    AND c.knowledge_id = r.id
                    AND position((SELECT bytes FROM term) IN convert_to(c.search_text, 'UTF8')) > 0
                LIMIT 1
            )
        )
    ORDER BY r.updated_at DESC, r.kind DESC, r.id
    LIMIT %(row_limit)s
),
other_knowledge AS (
    -- Read in their order, and no more of them than are needed.
    SELECT r.id FROM (
        SELECT k.id, f.is_in_title, f.first_units
        FROM (
            SELECT
                m.id, bool_or(m.first_unit IS NULL) AS is_in_title,
                array_agg(m.first_unit) AS first_units
            FROM (
                SELECT * FROM few_candidates WHERE (SELECT count(*) FROM few_candidates) < (SELECT few FROM term)
                UNION ALL
                SELECT * FROM candidates
                WHERE (SELECT count(*) FROM few_candidates) = (SELECT few FROM term)
                    AND (SELECT count(*) FROM recent_knowledge) < %(row_limit)s
            ) AS m
            GROUP BY m.id
        ) AS f
        CROSS JOIN LATERAL (
            SELECT * FROM knowledge AS k
            WHERE k.organization_id = %(organization_id)s AND k.id = f.id
            OFFSET 0
        ) AS k
        WHERE k.source_id = ANY(%(knowledge_ids)s::text[])
            AND NOT k.archived
            AND NOT EXISTS (
                SELECT FROM knowledge_suppressions AS s
                WHERE s.organization_id = k.organization_id AND s.knowledge_id = k.id
            )
            AND k.updated_at >= (SELECT at FROM since)
            AND k.updated_at < (SELECT before FROM term)
        ORDER BY k.updated_at DESC, k.kind DESC, k.id
        OFFSET 0
    ) AS r
    WHERE r.is_in_title OR (
        SELECT true FROM knowledge_chunks AS c
        WHERE c.organization_id = %(organization_id)s
            AND c.knowledge_id = r.id
            AND c.first_unit = ANY(r.first_units)
            AND position((SELECT bytes FROM term) IN convert_to(c.search_text, 'UTF8')) > 0
        LIMIT 1
    )
    LIMIT %(row_limit)s
),
knowledge_items AS (
    SELECT
        CASE k.kind WHEN 'note' THEN 'note' ELSE 'document' END AS kind,
        k.id, k.source_id, k.title, k.updated_at AS at, NULL::text AS href, k.preview AS text
    FROM (SELECT id FROM recent_knowledge UNION SELECT id FROM other_knowledge) AS f
    JOIN knowledge AS k ON k.organization_id = %(organization_id)s AND k.id = f.id
),
accounts AS MATERIALIZED (
    SELECT s.id, lower(s.account) AS account
    FROM sources AS s
    WHERE s.organization_id = %(organization_id)s AND s.id = ANY(%(x_ids)s::text[])
),
recent_posts AS MATERIALIZED (
    SELECT r.id FROM (
        SELECT m.* FROM x_mentions AS m
        WHERE m.organization_id = %(organization_id)s
            AND m.created_at >= (SELECT at FROM since)
            AND m.created_at < (SELECT before FROM term)
            AND cardinality(%(x_ids)s::text[]) > 0
            AND (
                (SELECT text FROM term) IS NOT NULL
                OR (m.source_id, lower(m.account)) IN (SELECT id, account FROM accounts)
            )
        ORDER BY m.created_at DESC
        FETCH FIRST (%(recent_limit)s::bigint / 2) ROWS WITH TIES
    ) AS r
    WHERE (r.source_id, lower(r.account)) IN (SELECT id, account FROM accounts)
        AND (
            (SELECT text FROM term) IS NULL
            OR position((SELECT bytes FROM term) IN convert_to(r.text_lower, 'UTF8')) > 0
        )
    ORDER BY r.created_at DESC, r.id
    LIMIT %(row_limit)s
),
other_posts AS (
    SELECT c.id FROM (
        SELECT m.* FROM x_mentions AS m
        WHERE m.organization_id = %(organization_id)s
            AND text_pieces(m.text_lower) @@ (SELECT pieces FROM term)
            AND cardinality(%(x_ids)s::text[]) > 0
            AND (SELECT count(*) FROM recent_posts) < %(row_limit)s
            AND EXISTS (
                SELECT FROM x_mentions AS n
                WHERE n.organization_id = %(organization_id)s
                    AND n.created_at >= (SELECT at FROM since)
                    AND n.created_at < (SELECT before FROM term)
                OFFSET %(recent_limit)s::bigint / 2
            )
        OFFSET 0
    ) AS c
    WHERE (c.source_id, lower(c.account)) IN (SELECT id, account FROM accounts)
        AND c.created_at >= (SELECT at FROM since)
        AND c.created_at < (SELECT before FROM term)
        AND position((SELECT bytes FROM term) IN convert_to(c.text_lower, 'UTF8')) > 0
    ORDER BY c.created_at DESC, c.id
    LIMIT %(row_limit)s
),
posts AS (
    SELECT
        'post' AS kind, m.id, m.source_id, '@' || m.author_username AS title,
        m.created_at AS at, m.url AS href, m.text
    FROM (SELECT id FROM recent_posts UNION SELECT id FROM other_posts) AS f
    JOIN x_mentions AS m ON m.organization_id = %(organization_id)s AND m.id = f.id
),
recent_people AS MATERIALIZED (
    SELECT r.source_id, r.person_id FROM (
        SELECT p.* FROM people AS p
        WHERE p.organization_id = %(organization_id)s
            AND p.last_active_at >= (SELECT at FROM since)
            AND p.last_active_at < (SELECT before FROM term)
            AND cardinality(%(people_ids)s::text[]) > 0
            AND (
                (SELECT text FROM term) IS NOT NULL
                OR p.source_id = ANY(%(people_ids)s::text[])
                AND NOT p.newer_source_ids && %(people_ids)s::text[]
            )
        ORDER BY p.last_active_at DESC, (p.platform || ':' || p.person_id) COLLATE "C"
        LIMIT %(recent_limit)s::bigint / 2
    ) AS r
    WHERE r.source_id = ANY(%(people_ids)s::text[])
        AND NOT r.newer_source_ids && %(people_ids)s::text[]
        AND (
            (SELECT text FROM term) IS NULL
            OR position((SELECT bytes FROM term) IN convert_to(r.display_name_lower, 'UTF8')) > 0
            OR position((SELECT bytes FROM term) IN convert_to(r.username_lower, 'UTF8')) > 0
        )
    ORDER BY r.last_active_at DESC, (r.platform || ':' || r.person_id) COLLATE "C"
    LIMIT %(row_limit)s
),
other_people AS (
    SELECT c.source_id, c.person_id FROM (
        SELECT p.* FROM people AS p
        WHERE p.organization_id = %(organization_id)s
            AND text_pieces(p.display_name_lower || E'\n' || coalesce(p.username_lower, ''))
                @@ (SELECT pieces FROM term)
            AND cardinality(%(people_ids)s::text[]) > 0
            AND (SELECT count(*) FROM recent_people) < %(row_limit)s
            AND EXISTS (
                SELECT FROM people AS n
                WHERE n.organization_id = %(organization_id)s
                    AND n.last_active_at >= (SELECT at FROM since)
                    AND n.last_active_at < (SELECT before FROM term)
                OFFSET %(recent_limit)s::bigint / 2
            )
        OFFSET 0
    ) AS c
    WHERE c.source_id = ANY(%(people_ids)s::text[])
        AND NOT c.newer_source_ids && %(people_ids)s::text[]
        AND c.last_active_at >= (SELECT at FROM since)
        AND c.last_active_at < (SELECT before FROM term)
        AND (
            position((SELECT bytes FROM term) IN convert_to(c.display_name_lower, 'UTF8')) > 0
            OR position((SELECT bytes FROM term) IN convert_to(c.username_lower, 'UTF8')) > 0
        )
    ORDER BY c.last_active_at DESC, (c.platform || ':' || c.person_id) COLLATE "C"
    LIMIT %(row_limit)s
),
people_total AS MATERIALIZED (
    SELECT sum(n.people_count) AS number
    FROM people_counts AS n
    WHERE n.organization_id = %(organization_id)s
        AND n.source_id = ANY(%(people_ids)s::text[])
        AND NOT n.newer_source_ids && %(people_ids)s::text[]
),
last_person AS MATERIALIZED (
    -- The last one who is examined, asked for only where somebody may come after.
    SELECT p.last_active_at, (p.platform || ':' || p.person_id) COLLATE "C" AS id
    FROM people AS p
    WHERE p.organization_id = %(organization_id)s
        AND p.source_id = ANY(%(people_ids)s::text[])
        AND NOT p.newer_source_ids && %(people_ids)s::text[]
        AND (SELECT number FROM people_total) > 10000
    ORDER BY p.last_active_at DESC, 2
    -- Not a constant, so that the planner walks the index whatever it knows of the rows.
    OFFSET (SELECT 9999) LIMIT 1
),
persons AS (
    SELECT
        'person' AS kind, (p.platform || ':' || p.person_id) COLLATE "C" AS id, p.source_id,
        p.display_name AS title, p.last_active_at AS at, NULL::text AS href,
        CASE
            WHEN p.username IS NULL THEN p.display_name
            WHEN position((SELECT bytes FROM term) IN convert_to(p.display_name_lower, 'UTF8')) > 0
                THEN p.display_name
            ELSE p.username
        END AS text
    FROM (SELECT * FROM recent_people UNION SELECT * FROM other_people) AS f
    JOIN people AS p
        ON p.organization_id = %(organization_id)s
        AND p.source_id = f.source_id
        AND p.person_id = f.person_id
    -- The first of all are among the 10,000.
    WHERE (
            %(before)s::timestamptz IS NULL
            AND (p.source_id, p.person_id) IN (SELECT source_id, person_id FROM recent_people)
        )
        OR NOT EXISTS (
            SELECT FROM last_person AS l
            WHERE (l.last_active_at, p.platform || ':' || p.person_id) > (p.last_active_at, l.id)
        )
),
recent_assets AS MATERIALIZED (
    SELECT r.id FROM (
        SELECT a.* FROM assets AS a
        WHERE a.organization_id = %(organization_id)s
            AND a.updated_at >= (SELECT at FROM since)
            AND a.updated_at < (SELECT before FROM term)
            AND cardinality(%(asset_ids)s::text[]) > 0
            AND (
                (SELECT text FROM term) IS NOT NULL
                OR a.source_id = ANY(%(asset_ids)s::text[])
            )
        ORDER BY a.updated_at DESC
        FETCH FIRST (%(recent_limit)s::bigint / 2) ROWS WITH TIES
    ) AS r
    WHERE r.source_id = ANY(%(asset_ids)s::text[])
        AND (
            (SELECT text FROM term) IS NULL
            OR position((SELECT bytes FROM term) IN convert_to(r.name_lower, 'UTF8')) > 0
        )
    ORDER BY r.updated_at DESC, r.id
    LIMIT %(row_limit)s
),
other_assets AS (
    SELECT c.id FROM (
        SELECT a.* FROM assets AS a
        WHERE a.organization_id = %(organization_id)s
            AND text_pieces(a.name_lower) @@ (SELECT pieces FROM term)
            AND cardinality(%(asset_ids)s::text[]) > 0
            AND (SELECT count(*) FROM recent_assets) < %(row_limit)s
            AND EXISTS (
                SELECT FROM assets AS n
                WHERE n.organization_id = %(organization_id)s
                    AND n.updated_at >= (SELECT at FROM since)
                    AND n.updated_at < (SELECT before FROM term)
                OFFSET %(recent_limit)s::bigint / 2
            )
        OFFSET 0
    ) AS c
    WHERE c.source_id = ANY(%(asset_ids)s::text[])
        AND c.updated_at >= (SELECT at FROM since)
        AND c.updated_at < (SELECT before FROM term)
        AND position((SELECT bytes FROM term) IN convert_to(c.name_lower, 'UTF8')) > 0
    ORDER BY c.updated_at DESC, c.id
    LIMIT %(row_limit)s
),
asset_items AS (
    SELECT
        'asset' AS kind, a.id::text AS id, a.source_id, a.name AS title, a.updated_at AS at,
        NULL::text AS href, a.name AS text
    FROM (SELECT id FROM recent_assets UNION SELECT id FROM other_assets) AS f
    JOIN assets AS a ON a.organization_id = %(organization_id)s AND a.id = f.id
),
profile AS (
    SELECT
        'profile' AS kind, o.organization_id::text AS id, s.id AS source_id,
        o.display_name AS title, o.updated_at AS at, NULL::text AS href,
        CASE
            WHEN strpos(lower(o.display_name), term.text) > 0 THEN o.display_name
            WHEN strpos(lower(o.slug), term.text) > 0 THEN o.slug
            ELSE o.display_name
        END AS text
    FROM organizations AS o
    JOIN sources AS s
        ON s.organization_id = o.organization_id AND s.id = ANY(%(profile_ids)s::text[])
    CROSS JOIN term
    CROSS JOIN since
    WHERE o.organization_id = %(organization_id)s
        AND (
            term.text IS NULL
            OR strpos(lower(o.display_name), term.text) > 0
            OR strpos(lower(o.slug), term.text) > 0
        )
        AND o.updated_at >= since.at
        AND o.updated_at < term.before
),
token AS (
    SELECT
        'token' AS kind, t.address AS id, t.source_id, t.name || ' (' || t.symbol || ')' AS title,
        s.updated_at AS at, NULL::text AS href,
        CASE
            WHEN strpos(lower(t.name), term.text) > 0 THEN t.name
            WHEN strpos(lower(t.symbol), term.text) > 0 THEN t.symbol
            WHEN strpos(lower(t.address), term.text) > 0 THEN t.address
            ELSE t.name || ' (' || t.symbol || ') ' || t.address
        END AS text
    FROM tokens AS t
    JOIN sources AS s ON s.organization_id = t.organization_id AND s.id = t.source_id
    CROSS JOIN term
    WHERE t.organization_id = %(organization_id)s
        AND t.source_id = ANY(%(token_ids)s::text[])
        AND lower(t.address) = lower(s.account)
        AND (
            term.text IS NULL
            OR strpos(lower(t.name), term.text) > 0
            OR strpos(lower(t.symbol), term.text) > 0
            OR strpos(lower(t.address), term.text) > 0
        )
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
        EXISTS (SELECT FROM chats WHERE tracked_message_count > 10000)
        OR coalesce((SELECT number FROM people_total) > 10000, false) AS cut
) AS pools
LEFT JOIN found AS f ON true
LEFT JOIN LATERAL (
    SELECT
        c.content,
        -- Where lowering keeps lengths, as nearly everywhere, the content is not lowered again.
        CASE WHEN length(c.search_text) = length(c.content) + length(c.overlap)
            THEN strpos(c.search_text, (SELECT text FROM term))
        END AS match_at,
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
        AND position((SELECT bytes FROM term) IN convert_to(c.search_text, 'UTF8')) > 0
    ORDER BY c.first_unit
    LIMIT 1
) AS chunk ON true
CROSS JOIN LATERAL (
    SELECT coalesce(
        coalesce(chunk.before, '') || chunk.content || coalesce(chunk.after, ''), f.text
    ) AS text
) AS whole
CROSS JOIN LATERAL (
    SELECT m.match_at, greatest(1, m.match_at - 600) AS excerpt_at
    FROM (
        SELECT coalesce(
            coalesce(length(chunk.before), 0) + chunk.match_at,
            CASE WHEN b.byte_at > 0
                THEN 1 + length(substring(b.bytes FOR b.byte_at - 1), 'UTF8')
            END,
            0
        ) AS match_at
        FROM (
            SELECT l.bytes, position((SELECT bytes FROM term) IN l.bytes) AS byte_at
            FROM (SELECT convert_to(lower(whole.text), 'UTF8') AS bytes OFFSET 0) AS l
            OFFSET 0
        ) AS b
    ) AS m
) AS place
ORDER BY f.at DESC NULLS LAST, f.kind, f.id COLLATE "C";
