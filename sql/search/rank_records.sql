-- Finds the records of a kind that have some words, best first, and counts those with each word. Each file
-- of search/kinds makes it the statement of a kind.
-- Parameters: organization_id uuid; source_ids text[]; words text[]; stems text[]: what the forms of each word
--   begin with; word_limit bigint: how many words count, the rarest; after and before timestamptz or null;
--   posting_limit bigint: how many documents are read for each word, those first in which its impact is largest;
--   rare_limit bigint: about how many records of other kinds are read for all rare words; sample_limit bigint: how
--   many of the newest records tell which words are rare; few bigint: a word that fewer documents have is also looked for within
--   words, in loose_limit bigint chunks; chunk_limit bigint: how many chunks of a document are compared;
--   row_limit bigint; following_limit bigint: how many messages are read after each message.
-- Rows: first the counts: word_number bigint (from 1), record_count bigint, is_exact boolean (whether there are no
--   more), frequency bigint (record_count, or an estimate if that is not exact). Then the records: kind, id,
--   source_id, title, at and href are as in search/find_records; excerpt text: the text, or the chunk with most of
--   the words, folded text, is_whole boolean: whether it is all of the text, impacts jsonb: by number of the word,
--   following text[]: the sender and text of the messages after a message.
-- Index: {index}.
WITH scopes AS MATERIALIZED (
{scopes}
),
words AS MATERIALIZED (
    SELECT
        w.number, fold_text(w.word) AS text, fold_text(w.stem) AS stem, convert_to(fold_text(w.stem), 'UTF8') AS bytes
    FROM unnest(%(words)s::text[], %(stems)s::text[]) WITH ORDINALITY AS w (word, stem, number)
),
period AS MATERIALIZED (
    SELECT
        coalesce(%(after)s::timestamptz, '-infinity') AS after,
        coalesce(%(before)s::timestamptz, 'infinity') AS before
),
{postings},
counts AS MATERIALIZED (
    SELECT
        p.number, count(*) AS record_count, coalesce(bool_and(o.is_exact), false) AS is_exact,
        greatest(count(*), max(o.record_count))::bigint AS frequency
    FROM postings AS p
    LEFT JOIN posted AS o ON o.number = p.number
    GROUP BY p.number
),
-- BM25's weight of a word for a fixed number of records, in integers, which are faster to add.
weights AS MATERIALIZED (
    SELECT c.number, (100 * ln(1 + 20000 / (1 + least(c.frequency, %(posting_limit)s))))::integer AS weight
    FROM counts AS c
    ORDER BY c.frequency, c.number
    LIMIT %(word_limit)s
),
best AS MATERIALIZED (
    SELECT p.id
    FROM postings AS p
    JOIN weights AS w ON w.number = p.number
    GROUP BY p.id
    ORDER BY sum(w.weight * p.impact) DESC, p.id
    LIMIT %(row_limit)s
),
scored AS MATERIALIZED (
    SELECT p.id, p.source_id, p.at, jsonb_object_agg(p.number, p.impact) AS impacts
    FROM postings AS p
    JOIN weights AS w ON w.number = p.number
    WHERE p.id = ANY(ARRAY(SELECT b.id FROM best AS b))
    GROUP BY p.id, p.source_id, p.at
)
SELECT
    c.number AS word_number, c.record_count, c.is_exact, c.frequency, '{kind}' AS kind, NULL AS id,
    NULL AS source_id, NULL AS title, NULL::timestamptz AS at, NULL AS href, NULL AS excerpt, NULL AS folded,
    NULL::boolean AS is_whole, NULL::jsonb AS impacts, NULL::text[] AS following
FROM counts AS c
UNION ALL
SELECT
    NULL, NULL, NULL, NULL, r.kind, f.id, f.source_id, r.title, f.at, r.href, r.excerpt, r.folded, r.is_whole, f.impacts,
    {following}
FROM scored AS f
CROSS JOIN LATERAL (
{passage}
    OFFSET 0
) AS r;
