-- What fills the slots of search/find_records and search/rank_records, unless the file of a kind of record does.
-- `f` is a row of {table}, or a record found by its {id}; `s` is a row of {scopes}.
-- scopes: SELECT what a search reads one by one, such as chats: source_id, key text (that of the search tokens);
-- key_of_source: the key if that is a source.
-- record_count: how many records s has.
-- is_cut: whether only the newest records are searched.
-- in_scope: whether f is in s. is_last: whether no source that is read has a newer row of the record.
-- key, folded: the expressions of the index of search tokens.
-- last: SELECT the last record that is searched, (at, id); no row if all are.
-- record: SELECT of f.id: source_id, title, href text (null if the caller derives it from the kind and id), and
--   texts text[], of which the first that contains the term is shown.
-- following: the messages after f.
-- postings: the parts of rank_records that find the records of each word: postings (number bigint: of the word,
--   id, source_id, at, impact integer: 16 times BM25's share of the word) and word_counts (number, is_exact boolean,
--   record_count: an estimate if postings has not all, else 0).
-- passage: SELECT of f.id: kind, title, href, excerpt text, folded text, is_whole boolean, as rank_records returns them.

-- scopes:
    SELECT s.id AS source_id, {key_of_source} AS key, lower(s.account) AS account, s.record_count FROM sources AS s
    WHERE s.organization_id = %(organization_id)s AND s.id = ANY(%(source_ids)s::text[])
-- key_of_source: s.id
-- in_scope: f.source_id = s.source_id
-- key: f.source_id
-- following: NULL
-- last: SELECT NULL::timestamptz AS at, NULL AS id LIMIT 0
-- record_count: s.record_count
-- is_last: true
-- is_cut: false
-- postings:
-- The newest records tell how many contain each word, because to read all of a common one takes too long.
newest AS MATERIALIZED (
    SELECT n.* FROM (
        SELECT
            f.*, convert_to(f.folded_text, 'UTF8') AS folded_bytes,
            CASE
                WHEN count(*) OVER (PARTITION BY s.key) < q.quota THEN 1
                ELSE greatest(1, s.total::float / nullif(count(*) FILTER (WHERE f.is_last) OVER (PARTITION BY s.key), 0))
            END AS represented
        FROM (SELECT 1 + %(sample_limit)s::bigint / greatest(1, (SELECT count(*) FROM scopes)) AS quota) AS q
        CROSS JOIN (SELECT s.*, {record_count} AS total FROM scopes AS s OFFSET 0) AS s
        CROSS JOIN LATERAL (
            SELECT ({id}) COLLATE "C" AS id, s.source_id, {at} AS at, {folded} AS folded_text, {is_last} AS is_last
            FROM {table} AS f
            WHERE f.organization_id = %(organization_id)s
                AND {in_scope}
                AND {at} >= (SELECT after FROM period)
                AND {at} < (SELECT before FROM period)
            -- By id, too, because all files of a commit have its time.
            ORDER BY {at} DESC, ({id}) COLLATE "C"
            LIMIT q.quota
        ) AS f
    ) AS n
    WHERE n.is_last
),
estimates AS MATERIALIZED (
    SELECT
        w.*, e.record_count,
        -- One or two of the newest may contain a rare word by chance.
        e.hit_count < 3
            OR sum(e.record_count) OVER (ORDER BY e.record_count, w.number) <= %(rare_limit)s AS is_rare
    FROM words AS w
    CROSS JOIN LATERAL (
        SELECT count(*) AS hit_count, coalesce(sum(n.represented), 0) AS record_count FROM newest AS n
        WHERE position(w.bytes IN n.folded_bytes) > 0
    ) AS e
),
-- Queries for the records with a rare word, and for those with all others.
terms AS MATERIALIZED (
    SELECT array_agg(t.token) AS tokens
    FROM (
        SELECT string_agg('(' || t.token::text || ')', ' & ')::tsquery AS token
        FROM estimates AS w
        CROSS JOIN LATERAL unnest(
            keyed_term_tokens(%(organization_id)s, ARRAY(SELECT s.key FROM scopes AS s), w.stem)
        ) WITH ORDINALITY AS t (token, place)
        GROUP BY t.place, w.is_rare, CASE WHEN w.is_rare THEN w.number END
        HAVING w.is_rare OR (
            SELECT coalesce(sum(n.represented), 0) FROM newest AS n
            WHERE NOT EXISTS (
                SELECT FROM estimates AS c WHERE NOT c.is_rare AND position(c.bytes IN n.folded_bytes) = 0
            )
        ) <= %(rare_limit)s
    ) AS t
),
-- For a mean length of 200 characters; less inside a longer word.
postings AS MATERIALIZED (
    SELECT
        w.number, f.id, f.source_id, f.at,
        CASE WHEN position(' ' || w.text IN ' ' || f.folded_text) > 0 THEN 160 ELSE 60 END
            / (13 + length(f.folded_text) / 22) AS impact
    FROM (
        SELECT n.id, n.source_id, n.at, n.folded_text, n.folded_bytes FROM newest AS n
        UNION
        SELECT ({id}) COLLATE "C", s.source_id, {at}, f.folded_text, convert_to(f.folded_text, 'UTF8')
        FROM (
            SELECT f.*, {folded} AS folded_text FROM {table} AS f
            WHERE f.organization_id::text = %(organization_id)s::text
                AND {key} || '' = ANY(ARRAY(SELECT s.key FROM scopes AS s))
                AND keyed_text_tokens(f.organization_id, {key}, {folded}) @@ ANY((SELECT tokens FROM terms)::tsquery[])
                AND {at} + interval '0' >= (SELECT after FROM period)
                AND {at} + interval '0' < (SELECT before FROM period)
            OFFSET 0
        ) AS f
        JOIN scopes AS s ON {in_scope}
        WHERE {is_last}
    ) AS f
    JOIN words AS w ON position(w.bytes IN f.folded_bytes) > 0
),
word_counts AS MATERIALIZED (
    SELECT w.number, w.is_rare AS is_exact, CASE WHEN w.is_rare THEN 0 ELSE w.record_count END AS record_count
    FROM estimates AS w
)
-- passage:
        SELECT
            '{kind}' AS kind, r.title, r.href, array_to_string(r.texts, E'\n') AS excerpt,
            fold_text(array_to_string(r.texts, ' ')) AS folded, true AS is_whole
        FROM (
{record}
        ) AS r
