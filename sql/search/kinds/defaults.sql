-- What fills the slots of search/find_records and search/rank_records, unless the file of a kind of record does.
-- `f` is a row of {table}, or a record found by its {id}; `s` is a row of {scopes}.
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
    SELECT array_agg(t.token) AS tokens
    FROM words AS w
    CROSS JOIN LATERAL unnest(
        keyed_term_tokens(%(organization_id)s, ARRAY(SELECT s.key FROM scopes AS s), w.stem)
    ) AS t (token)
),
-- For a mean length of 200 characters; less inside a longer word.
postings AS MATERIALIZED (
    SELECT
        w.number, ({id}) COLLATE "C" AS id, s.source_id, {at} AS at,
        CASE WHEN position(' ' || w.text IN ' ' || f.folded_text) > 0 THEN 160 ELSE 60 END
            / (13 + length(f.folded_text) / 22) AS impact
    FROM (
        SELECT f.*, {folded} AS folded_text, convert_to({folded}, 'UTF8') AS folded_bytes FROM {table} AS f
        -- The casts and the interval keep PostgreSQL from also reading other indexes.
        WHERE f.organization_id::text = %(organization_id)s::text
            AND {key} || '' = ANY(ARRAY(SELECT s.key FROM scopes AS s))
            AND keyed_text_tokens(f.organization_id, {key}, {folded}) @@ ANY((SELECT tokens FROM terms)::tsquery[])
            AND {at} + interval '0' >= (SELECT after FROM period)
            AND {at} + interval '0' < (SELECT before FROM period)
        OFFSET 0
    ) AS f
    JOIN scopes AS s ON {in_scope}
    JOIN words AS w ON position(w.bytes IN f.folded_bytes) > 0
    WHERE {is_last}
),
posted AS MATERIALIZED (SELECT w.number, true AS is_exact FROM words AS w)
-- passage:
        SELECT
            '{kind}' AS kind, r.title, r.href, array_to_string(r.texts, E'\n') AS excerpt,
            fold_text(array_to_string(r.texts, ' ')) AS folded, true AS is_whole
        FROM (
{record}
        ) AS r
