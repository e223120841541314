-- Finds the documents and notes that have some words, best first, and counts those with each word.
-- Parameters: organization_id uuid; source_ids text[]; words text[]; word_limit bigint: how many of them count, the rarest; stems text[]: what the forms
--   of each word begin with; after and before timestamptz or null; posting_limit bigint: how many documents are
--   read for each word, those first in which its impact is largest; few bigint: a word of fewer documents is
--   also looked for within words, in loose_limit bigint chunks; chunk_limit bigint: how many chunks of a document
--   are compared; row_limit bigint.
-- Rows: first the counts: word_number bigint (from 1), source_id text, record_count bigint, is_exact boolean
--   (whether there are no more). Then the documents: kind, id, source_id, title, at and href are as in
--   search/find_messages; excerpt text: the chunk with most of the words, is_whole boolean: whether it is all of
--   the content, score bigint, word_numbers bigint[].
-- Index: knowledge_search_tokens; knowledge_pkey, knowledge_suppressions_pkey and knowledge_chunks_pkey.
WITH words AS MATERIALIZED (
    SELECT w.number, fold_text(w.word) AS text, fold_text(w.stem) AS stem
    FROM unnest(%(words)s::text[], %(stems)s::text[]) WITH ORDINALITY AS w (word, stem, number)
),
period AS MATERIALIZED (
    SELECT
        coalesce(%(after)s::timestamptz, '-infinity') AS after,
        coalesce(%(before)s::timestamptz, 'infinity') AS before
),
levels AS MATERIALIZED (
    SELECT
        w.number, l.impact,
        keyed_word_tokens(%(organization_id)s, %(source_ids)s::text[], l.impact, w.text) AS tokens
    FROM words AS w
    CROSS JOIN generate_series(7, 0, -1) AS l (impact)
),
postings AS MATERIALIZED (
    SELECT w.number, p.*
    FROM words AS w
    CROSS JOIN LATERAL (
        SELECT f.*
        FROM (SELECT * FROM levels AS l WHERE l.number = w.number ORDER BY l.impact DESC) AS l
        CROSS JOIN LATERAL (
            WITH candidates AS MATERIALIZED (
                SELECT f.knowledge_id AS id, f.source_id, f.updated_at, l.impact
                FROM knowledge_search AS f
                -- A cast keeps PostgreSQL from also reading an index of the whole organization.
                WHERE f.organization_id::text = %(organization_id)s::text
                    AND indexed_tokens(f.tokens) @@ ANY(l.tokens)
            )
            SELECT f.id, f.source_id, f.impact FROM candidates AS f
            WHERE f.source_id = ANY(%(source_ids)s::text[])
                AND f.updated_at >= (SELECT after FROM period)
                AND f.updated_at < (SELECT before FROM period)
        ) AS f
        LIMIT %(posting_limit)s
    ) AS p
),
posted AS MATERIALIZED (
    SELECT w.number, w.stem, count(p.number) AS posting_count
    FROM words AS w LEFT JOIN postings AS p ON p.number = w.number
    GROUP BY w.number, w.stem
),
rare AS MATERIALIZED (
    SELECT w.*, keyed_term_tokens(%(organization_id)s, %(source_ids)s::text[], w.stem) AS tokens
    FROM posted AS w
    WHERE w.posting_count < %(few)s
),
candidates AS MATERIALIZED (
    SELECT w.number, w.stem, f.*
    FROM rare AS w
    CROSS JOIN LATERAL (
        SELECT f.knowledge_id AS id, f.first_unit
        FROM knowledge_search AS f
        WHERE f.organization_id::text = %(organization_id)s::text
            AND indexed_tokens(f.tokens) @@ ANY(w.tokens)
        -- Equal data give equal answers.
        ORDER BY f.knowledge_id, f.first_unit
        LIMIT %(loose_limit)s
    ) AS f
),
occurrences AS (
    SELECT p.number, p.id, p.source_id, p.impact FROM postings AS p
    UNION ALL
    SELECT c.number, c.id, k.source_id, 0
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
        AND position(convert_to(c.stem, 'UTF8') IN convert_to(coalesce(t.search_text, k.title_lower), 'UTF8')) > 0
),
-- A title counts like a part of the text. Each occurrence counts, also one inside a longer word.
hits AS MATERIALIZED (
    SELECT o.number, o.id, o.source_id, (1 + sum(2 * o.impact))::integer AS impact
    FROM occurrences AS o
    GROUP BY o.number, o.id, o.source_id
),
counts AS MATERIALIZED (
    SELECT h.number, h.source_id, count(*) AS record_count FROM hits AS h GROUP BY h.number, h.source_id
),
-- BM25's weight of a word for a fixed number of documents, in integers, which are faster to add.
weights AS MATERIALIZED (
    SELECT c.number, (100 * ln(1 + 20000 / (1 + sum(c.record_count))))::integer AS weight
    FROM counts AS c
    GROUP BY c.number
    ORDER BY sum(c.record_count), c.number
    LIMIT %(word_limit)s
),
scored AS MATERIALIZED (
    SELECT h.id, sum(w.weight * h.impact) AS score
    FROM hits AS h
    JOIN weights AS w ON w.number = h.number
    GROUP BY h.id
    ORDER BY sum(w.weight * h.impact) DESC, h.id
    LIMIT %(row_limit)s
)
SELECT
    c.number AS word_number, 'document' AS kind, c.source_id, c.record_count,
    p.posting_count < %(few)s
        AND (SELECT count(*) FROM candidates AS a WHERE a.number = c.number) < %(loose_limit)s AS is_exact,
    NULL AS id, NULL AS title, NULL::timestamptz AS at, NULL AS href, NULL AS excerpt, NULL AS folded,
    NULL::boolean AS is_whole, NULL::bigint AS score
FROM counts AS c
JOIN posted AS p ON p.number = c.number
UNION ALL
SELECT
    NULL, CASE k.kind WHEN 'note' THEN 'note' ELSE 'document' END, k.source_id, NULL, NULL,
    k.id, k.title, k.updated_at, NULL, coalesce(c.content || c.overlap, k.preview),
    k.title_lower || E'\n' || coalesce(c.search_text, ''),
    coalesce(c.first_unit = 0 AND c.unit_count = k.content_units, false), s.score
FROM scored AS s
CROSS JOIN LATERAL (
    SELECT * FROM readable_knowledge AS k WHERE k.organization_id = %(organization_id)s AND k.id = s.id
    OFFSET 0
) AS k
LEFT JOIN LATERAL (
    SELECT t.first_unit
    FROM (
        SELECT t.first_unit, convert_to(t.search_text, 'UTF8') AS bytes FROM knowledge_chunks AS t
        WHERE t.organization_id = %(organization_id)s AND t.knowledge_id = s.id
        ORDER BY t.first_unit
        LIMIT %(chunk_limit)s
    ) AS t
    JOIN words AS w ON position(convert_to(w.stem, 'UTF8') IN t.bytes) > 0
    JOIN weights AS v ON v.number = w.number
    GROUP BY t.first_unit
    ORDER BY sum(v.weight) DESC, t.first_unit
    LIMIT 1
) AS b ON true
LEFT JOIN knowledge_chunks AS c
    ON c.organization_id = %(organization_id)s AND c.knowledge_id = s.id AND c.first_unit = b.first_unit;
