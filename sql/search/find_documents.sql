-- Finds the newest documents and notes that contain a term, or the newest of all if q is null, with
-- an excerpt around the first match. Works like search/find_records.
-- Parameters: those of search/find_records: organization_id, source_ids, q, after, before, row_limit, recent_limit (this
--   statement reads only a sixth of that number before it uses the index), before_length, excerpt_length, start_length,
--   since_setting.
-- Rows: the columns of search/find_records; no row if nothing is found.
-- Index: knowledge_search_by_time, knowledge_search_tokens; knowledge_chunks_pkey.
WITH term AS MATERIALIZED (
    SELECT
        q.text, convert_to(q.text, 'UTF8') AS bytes,
        keyed_term_tokens(%(organization_id)s, %(source_ids)s::text[], q.text) AS tokens,
        -- An earlier statement found row_limit rows, so no older record can be on the page.
        coalesce(
            nullif(current_setting(%(since_setting)s::text, true), '')::timestamptz,
            %(after)s::timestamptz, '-infinity'
        ) AS after,
        coalesce(%(before)s::timestamptz, 'infinity') AS before,
        %(recent_limit)s::bigint / 2 AS few
    FROM (SELECT fold_text(%(q)s::text) AS text OFFSET 0) AS q
),
knowledge_since AS MATERIALIZED (
    SELECT EXISTS (
        SELECT FROM knowledge_search AS n
        WHERE n.organization_id = %(organization_id)s
            AND n.first_unit = -1
            AND n.source_id = ANY(%(source_ids)s::text[])
            AND n.updated_at >= (SELECT after FROM term)
            AND n.updated_at < (SELECT before FROM term)
    ) AS is_any
),
candidates AS NOT MATERIALIZED (
    SELECT f.knowledge_id AS id, f.first_unit
    FROM knowledge_search AS f
    WHERE f.organization_id::text = %(organization_id)s::text
        AND indexed_tokens(f.tokens) @@ ANY((SELECT tokens FROM term)::tsquery[])
        AND (SELECT is_any FROM knowledge_since)
),
-- Reading documents takes long, so this statement uses the index first. If the index finds fewer
-- candidates than `few`, all of them are examined and no recent documents are read.
few_candidates AS MATERIALIZED (SELECT * FROM candidates LIMIT (SELECT few FROM term)),
newest_knowledge AS MATERIALIZED (
    SELECT n.knowledge_id AS id
    FROM unnest(%(source_ids)s::text[]) AS s (id)
    CROSS JOIN LATERAL (
        SELECT f.knowledge_id, f.updated_at FROM knowledge_search AS f
        WHERE f.organization_id = %(organization_id)s
            AND f.first_unit = -1
            AND f.source_id = s.id
            AND f.updated_at >= (SELECT after FROM term)
            AND f.updated_at < (SELECT before FROM term)
        ORDER BY f.updated_at DESC
        FETCH FIRST (%(recent_limit)s::bigint / 6) ROWS WITH TIES
    ) AS n
    WHERE (SELECT text FROM term) IS NULL OR (SELECT count(*) FROM few_candidates) = (SELECT few FROM term)
    ORDER BY n.updated_at DESC
    FETCH FIRST (%(recent_limit)s::bigint / 6) ROWS WITH TIES
),
recent_knowledge AS MATERIALIZED (
    SELECT r.id FROM (
        SELECT
            k.id, k.kind, k.title_lower, k.updated_at,
            sum(k.content_units) OVER (ORDER BY k.updated_at DESC) AS units
        FROM newest_knowledge AS n
        JOIN readable_knowledge AS k ON k.organization_id = %(organization_id)s AND k.id = n.id
        WHERE k.source_id = ANY(%(source_ids)s::text[])
            AND NOT k.archived
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
    -- The order in the subquery lets LIMIT stop reading chunks as soon as enough candidates match.
    SELECT r.id FROM (
        SELECT k.id, k.title_lower, f.first_units
        FROM (
            SELECT m.id, array_agg(m.first_unit) AS first_units
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
            SELECT * FROM readable_knowledge AS k
            WHERE k.organization_id = %(organization_id)s AND k.id = f.id
            OFFSET 0
        ) AS k
        WHERE k.source_id = ANY(%(source_ids)s::text[])
            AND NOT k.archived
            AND k.updated_at >= (SELECT after FROM term)
            AND k.updated_at < (SELECT before FROM term)
        ORDER BY k.updated_at DESC, k.kind DESC, k.id
        OFFSET 0
    ) AS r
    WHERE -1 = ANY(r.first_units)
        AND position((SELECT bytes FROM term) IN convert_to(r.title_lower, 'UTF8')) > 0
        OR (
        SELECT true FROM knowledge_chunks AS c
        WHERE c.organization_id = %(organization_id)s
            AND c.knowledge_id = r.id
            AND c.first_unit = ANY(r.first_units)
            AND position((SELECT bytes FROM term) IN convert_to(c.search_text, 'UTF8')) > 0
        LIMIT 1
    )
    LIMIT %(row_limit)s
)
SELECT
    false AS search_limited, CASE k.kind WHEN 'note' THEN 'note' ELSE 'document' END AS kind,
    k.id, k.source_id, k.title, k.updated_at AS at, NULL::text AS href,
    CASE
        WHEN place.match_at = 0 THEN left(whole.text, %(start_length)s)
        ELSE substr(whole.text, place.excerpt_at, place.excerpt_length)
    END AS excerpt,
    CASE WHEN place.match_at = 0 THEN 0 ELSE place.match_at - place.excerpt_at + 1 END AS match_at,
    chunk.before IS NULL AND place.excerpt_at = 1 AS starts,
    chunk.is_last IS NOT FALSE AND place.excerpt_at + place.excerpt_length > length(whole.text)
        AS ends
FROM (SELECT id FROM recent_knowledge UNION SELECT id FROM other_knowledge) AS f
JOIN knowledge AS k ON k.organization_id = %(organization_id)s AND k.id = f.id
LEFT JOIN LATERAL (
    SELECT
        c.content || c.overlap AS text, length(c.overlap) < 500 AS is_last,
        match_position(c.content || c.overlap, c.search_text, (SELECT text FROM term), 1) AS match_at,
        -- How many characters folding removed.
        greatest(0, length(c.content) + length(c.overlap) - folded.length) AS removed_count,
        (
            SELECT right(b.content, %(before_length)s) FROM knowledge_chunks AS b
            WHERE b.organization_id = %(organization_id)s AND b.knowledge_id = c.knowledge_id
                AND b.first_unit < c.first_unit
            ORDER BY b.first_unit DESC LIMIT 1
        ) AS before
    FROM knowledge_chunks AS c
    CROSS JOIN LATERAL (
        SELECT
            strpos(c.search_text, (SELECT text FROM term)) AS match_at,
            length(c.search_text) AS length
        OFFSET 0
    ) AS folded
    WHERE c.organization_id = %(organization_id)s
        AND c.knowledge_id = k.id
        AND position((SELECT bytes FROM term) IN convert_to(c.search_text, 'UTF8')) > 0
        -- A match that begins later in the overlap is in the middle of the preview of the next chunk. Where
        -- the overlap begins is known but for one character, which folding may remove between the two.
        AND folded.match_at <= 2 + folded.length - length(fold_text(c.overlap))
    ORDER BY c.first_unit
    LIMIT 1
) AS chunk ON true
CROSS JOIN LATERAL (
    SELECT coalesce(coalesce(chunk.before, '') || chunk.text, k.preview) AS text
) AS whole
CROSS JOIN LATERAL (
    SELECT
        m.match_at, greatest(1, m.match_at - %(before_length)s) AS excerpt_at,
        -- What folding removed from the match does not count.
        %(excerpt_length)s + coalesce(chunk.removed_count, 0) AS excerpt_length
    FROM (SELECT coalesce(coalesce(length(chunk.before), 0) + chunk.match_at, 0) AS match_at OFFSET 0) AS m
) AS place;
