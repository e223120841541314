-- Finds the records of a kind that have some words, best first, and counts those with each word. Each file
-- of search/kinds makes it the statement of a kind.
-- Parameters: organization_id uuid; source_ids text[]; words text[]; stems text[]: what the forms of each word
--   begin with; after and before timestamptz or null; posting_limit bigint: how many documents are read for each
--   word, those first in which its impact is largest; rare_limit bigint: about how many records of other kinds are
--   read for all rare words; sample_limit bigint: how many of the newest records tell which words are rare; few
--   bigint: a word that fewer documents have is also looked for within words, in loose_limit bigint chunks;
--   chunk_limit bigint: how many chunks of a document are compared; row_limit bigint; following_limit bigint: how
--   many messages are read after each message.
-- Rows: first the counts: word_number bigint (from 1), record_count bigint, is_exact boolean (whether there are no
--   more), weight integer: how much the word tells. Then the records: kind, id, source_id, title, at and href are as
--   in search/find_records; score bigint; excerpt text: the text, or the chunk with most of the words, folded text,
--   is_whole boolean: whether it is all of the text, following text[]: the sender and text of the messages after a
--   message.
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
-- BM25's weight of a word for a fixed number of records, in integers, which are faster to add.
weights AS MATERIALIZED (
    SELECT
        p.number, count(*) AS record_count, coalesce(bool_and(o.is_exact), false) AS is_exact,
        (100 * ln(1 + 20000 / (1 + least(greatest(count(*), max(o.record_count)), %(posting_limit)s))))::integer AS weight
    FROM postings AS p
    LEFT JOIN word_counts AS o ON o.number = p.number
    GROUP BY p.number
),
-- That a record has a word counts as much as the largest impact, so that few records are left to compare.
best AS MATERIALIZED (
    SELECT p.id, p.source_id, p.at, sum(w.weight * (16 + p.impact))::bigint AS score
    FROM postings AS p
    JOIN weights AS w ON w.number = p.number
    GROUP BY p.id, p.source_id, p.at
    ORDER BY score DESC, p.id
    LIMIT %(row_limit)s
)
SELECT
    w.number AS word_number, w.record_count, w.is_exact, w.weight, '{kind}' AS kind, NULL AS id, NULL AS source_id,
    NULL AS title, NULL::timestamptz AS at, NULL AS href, NULL::bigint AS score, NULL AS excerpt, NULL AS folded,
    NULL::boolean AS is_whole, NULL::text[] AS following
FROM weights AS w
UNION ALL
SELECT
    NULL, NULL, NULL, NULL, r.kind, f.id, f.source_id, r.title, f.at, r.href, f.score, r.excerpt, r.folded, r.is_whole,
    {following}
FROM best AS f
CROSS JOIN LATERAL (
{passage}
    OFFSET 0
) AS r;
