-- Finds the newest records of a kind that contain a term, or the newest of all if q is null, with an excerpt
-- around the first match. Each file of search/kinds makes it the statement of a kind.
-- Reads the newest records first, because they contain enough matches of a common term. If they contain too
-- few, the term is rare and the index finds candidates. So one plan suits all terms.
-- If most organizations are small, the planner may not use the index. The comparison of texts is therefore also a
-- condition beside keyed_text_tokens, and a cheaper one: then PostgreSQL computes tokens only of texts that contain
-- the term.
-- Parameters: organization_id uuid; source_ids text[]; q text, after and before timestamptz or null; row_limit
--   bigint; recent_limit bigint: how many of the newest records are read before the index is used; if q is null,
--   at least ten times row_limit; pool_limit bigint: how many of the newest people, and messages of a chat, are
--   searched; before_length, excerpt_length and start_length integer: characters before a match, around it, and
--   of a text without one; since_setting text: a setting that lasts until the transaction ends. If this
--   statement finds row_limit rows, it stores the time of the last one there; the following statements of the
--   search ignore older records.
-- Rows: search_limited boolean (whether some records were not examined), then kind, id, source_id, title text,
--   at timestamptz, href text (null if the caller derives it from the kind and id), excerpt text, match_at integer
--   (position of the term in the excerpt, counted from 1, or 0 if it is not there), starts and ends boolean
--   (whether the excerpt reaches the beginning and the end of the text). If nothing is found, one row whose kind
--   and id are null.
-- Index: {index}.
WITH scopes AS MATERIALIZED (
{scopes}
),
term AS MATERIALIZED (
    SELECT
        q.text, convert_to(q.text, 'UTF8') AS bytes,
        coalesce(
            nullif(current_setting(%(since_setting)s::text, true), '')::timestamptz,
            %(after)s::timestamptz, '-infinity'
        ) AS after,
        coalesce(%(before)s::timestamptz, 'infinity') AS before
    FROM (SELECT fold_text(%(q)s::text) AS text OFFSET 0) AS q
),
-- Computed only if the index is used.
terms AS MATERIALIZED (
    SELECT keyed_term_tokens(
        %(organization_id)s, ARRAY(SELECT s.key FROM scopes AS s), (SELECT text FROM term)
    ) AS tokens
),
-- A time since which there are recent_limit records. The newest of each scope tell it, and no row of another
-- one is read, because the time of the answer would tell when there are records in it.
bound AS MATERIALIZED (
    SELECT r.at
    FROM scopes AS s
    CROSS JOIN LATERAL (
        SELECT {at} AS at FROM {table} AS f
        WHERE f.organization_id = %(organization_id)s
            AND {in_scope}
            AND {at} >= (SELECT after FROM term)
            AND {at} < (SELECT before FROM term)
        ORDER BY {at} DESC
        LIMIT 1 + 2 * %(recent_limit)s::bigint / (SELECT count(*) FROM scopes)
    ) AS r
    ORDER BY r.at DESC
    OFFSET %(recent_limit)s::bigint - 1 LIMIT 1
),
newest AS MATERIALIZED (
    SELECT f.* FROM scopes AS s
    CROSS JOIN LATERAL (
        SELECT f.* FROM {table} AS f
        WHERE f.organization_id = %(organization_id)s
            AND {in_scope}
            AND {is_last}
            AND {at} >= coalesce((SELECT at FROM bound), (SELECT after FROM term))
            AND {at} < (SELECT before FROM term)
        ORDER BY {at} DESC
        FETCH FIRST (%(recent_limit)s::bigint) ROWS WITH TIES
    ) AS f
    ORDER BY {at} DESC
    FETCH FIRST (%(recent_limit)s::bigint) ROWS WITH TIES
),
recent AS MATERIALIZED (
    SELECT ({id}) COLLATE "C" AS id, {at} AS at FROM newest AS f
    WHERE (SELECT text FROM term) IS NULL
        OR position((SELECT bytes FROM term) IN convert_to({folded}, 'UTF8')) > 0
    ORDER BY {at} DESC, ({id}) COLLATE "C"
    LIMIT %(row_limit)s
),
other AS (
    SELECT ({id}) COLLATE "C" AS id, {at} AS at FROM (
        SELECT f.* FROM {table} AS f
        WHERE f.organization_id::text = %(organization_id)s::text
            AND {key} || '' = ANY(ARRAY(SELECT s.key FROM scopes AS s))
            AND {at} + interval '0' >= (SELECT after FROM term)
            AND {at} + interval '0' < (SELECT before FROM term)
            AND keyed_text_tokens(f.organization_id, {key}, {folded}) @@ ANY((SELECT tokens FROM terms)::tsquery[])
            AND position((SELECT bytes FROM term) IN convert_to({folded}, 'UTF8')) > 0
            AND (SELECT count(*) FROM recent) < %(row_limit)s
            -- There are more than the newest.
            AND (EXISTS (SELECT FROM bound) OR (SELECT count(*) FROM newest) >= %(recent_limit)s::bigint)
        OFFSET 0
    ) AS f
    WHERE {is_last}
    ORDER BY {at} DESC, ({id}) COLLATE "C"
    LIMIT %(row_limit)s
),
last AS MATERIALIZED (
{last}
),
found AS MATERIALIZED (
    SELECT f.id, f.at, r.source_id, r.title, r.href, coalesce(shown.text, '') AS text
    FROM (SELECT * FROM recent UNION SELECT * FROM other) AS f
    CROSS JOIN LATERAL (
{record}
        OFFSET 0
    ) AS r
    CROSS JOIN LATERAL (
        SELECT t.text FROM unnest(r.texts) WITH ORDINALITY AS t (text, number)
        WHERE t.text IS NOT NULL OR t.number = 1
        ORDER BY
            coalesce(position((SELECT bytes FROM term) IN convert_to(fold_text(t.text), 'UTF8')) > 0, false) DESC,
            t.text IS NULL, t.number
        LIMIT 1
    ) AS shown
    -- Without `before`, recent records are never after the last one.
    WHERE %(before)s::timestamptz IS NULL AND f.id IN (SELECT id FROM recent)
        OR NOT EXISTS (SELECT FROM last AS l WHERE (l.at, f.id) > (f.at, l.id))
),
passed_on AS MATERIALIZED (
    SELECT set_config(
        %(since_setting)s::text,
        CASE
            WHEN count(*) = %(row_limit)s THEN min(at)::text
            ELSE current_setting(%(since_setting)s::text, true)
        END,
        true
    )
    FROM found
)
SELECT
    coalesce({is_cut}, false) AS search_limited,
    CASE WHEN f.id IS NOT NULL THEN '{kind}' END AS kind, f.id, f.source_id, f.title, f.at, f.href,
    CASE
        WHEN place.match_at = 0 THEN left(f.text, %(start_length)s)
        ELSE substr(f.text, place.excerpt_at, %(excerpt_length)s)
    END AS excerpt,
    CASE WHEN place.match_at = 0 THEN 0 ELSE place.match_at - place.excerpt_at + 1 END AS match_at,
    place.excerpt_at = 1 AS starts,
    place.excerpt_at + %(excerpt_length)s > length(f.text) AS ends
FROM passed_on
LEFT JOIN found AS f ON true
CROSS JOIN LATERAL (
    SELECT b.match_at, greatest(1, b.match_at - %(before_length)s) AS excerpt_at
    FROM (
        SELECT coalesce(match_position(f.text, fold_text(f.text), (SELECT text FROM term), 1), 0) AS match_at
        OFFSET 0
    ) AS b
) AS place;
