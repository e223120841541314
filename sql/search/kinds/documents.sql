-- Documents and notes, of which search/find_documents finds those with a term.

-- kind: document
-- index: knowledge_search_tokens; knowledge_pkey, knowledge_suppressions_pkey, knowledge_chunks_pkey
-- key_of_source: search_key(%(organization_id)s, s.id)
-- postings:
-- The documents with each word, those first in which its impact is largest: the outer LIMIT ends the loop over levels
-- once it is reached.
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
found AS MATERIALIZED (
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
-- Words of a title and of the text are stored apart.
postings AS MATERIALIZED (
    SELECT f.number, f.id, f.source_id, max(f.at) AS at, sum(f.impact) AS impact
    FROM found AS f
    GROUP BY f.number, f.id, f.source_id
),
word_counts AS MATERIALIZED (
    SELECT
        w.number, (SELECT count(*) FROM candidates AS c WHERE c.number = w.number) < %(loose_limit)s AS is_exact,
        0 AS record_count
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
