-- Finds the newest posts about the organization that contain a term, or the newest of all if q is
-- null, with an excerpt around the first match. Works like search/find_messages.
-- Parameters: organization_id uuid; source_ids text[]; q text, after and before timestamptz or
--   null; row_limit and recent_limit bigint: as in find_messages; since_setting text: the setting in
--   which find_messages stored a time; if it is not empty, older records are ignored.
-- Rows: the columns of search/find_messages; no row if nothing is found.
-- Index: x_mentions_by_account, x_mentions_tokens; x_mentions_pkey.
WITH accounts AS MATERIALIZED (
    SELECT s.id, lower(s.account) AS account
    FROM sources AS s
    WHERE s.organization_id = %(organization_id)s AND s.id = ANY(%(source_ids)s::text[])
),
term AS MATERIALIZED (
    SELECT
        q.text, convert_to(q.text, 'UTF8') AS bytes,
        term_pattern(q.text) AS pattern,
        -- find_messages found row_limit rows, so no older record can be on the page.
        coalesce(
            nullif(current_setting(%(since_setting)s::text, true), '')::timestamptz,
            %(after)s::timestamptz, '-infinity'
        ) AS after,
        coalesce(%(before)s::timestamptz, 'infinity') AS before
    -- OFFSET 0 makes PostgreSQL fold the term only once.
    FROM (SELECT fold_text(%(q)s::text) AS text OFFSET 0) AS q
),
-- Computed only if the index is used.
terms AS MATERIALIZED (
    SELECT
        keyed_term_tokens(
            %(organization_id)s, ARRAY(SELECT a.id || ' ' || a.account FROM accounts AS a),
            (SELECT text FROM term)
        ) AS tokens
),
-- As in search/find_messages.
bound AS MATERIALIZED (
    SELECT r.created_at
    FROM accounts AS a
    CROSS JOIN LATERAL (
        SELECT m.created_at FROM x_mentions AS m
        WHERE m.organization_id = %(organization_id)s
            AND m.source_id = a.id
            AND lower(m.account) = a.account
            AND m.created_at >= (SELECT after FROM term)
            AND m.created_at < (SELECT before FROM term)
        ORDER BY m.created_at DESC
        LIMIT 1 + 2 * %(recent_limit)s::bigint / (SELECT count(*) FROM accounts)
    ) AS r
    ORDER BY r.created_at DESC
    OFFSET %(recent_limit)s::bigint - 1 LIMIT 1
),
recent_posts AS MATERIALIZED (
    SELECT r.id FROM (
        SELECT m.* FROM accounts AS a
        CROSS JOIN LATERAL (
            SELECT m.* FROM x_mentions AS m
            WHERE m.organization_id = %(organization_id)s
                AND m.source_id = a.id
                AND lower(m.account) = a.account
                AND m.created_at >= coalesce((SELECT created_at FROM bound), (SELECT after FROM term))
                AND m.created_at < (SELECT before FROM term)
            ORDER BY m.created_at DESC
            FETCH FIRST (%(recent_limit)s::bigint) ROWS WITH TIES
        ) AS m
        ORDER BY m.created_at DESC
        FETCH FIRST (%(recent_limit)s::bigint) ROWS WITH TIES
    ) AS r
    WHERE (SELECT text FROM term) IS NULL
        OR position((SELECT bytes FROM term) IN convert_to(r.text_lower, 'UTF8')) > 0
    ORDER BY r.created_at DESC, r.id
    LIMIT %(row_limit)s
),
other_posts AS (
    SELECT c.id FROM (
        SELECT m.* FROM x_mentions AS m
        -- The cast and the interval keep PostgreSQL from also reading other indexes.
        WHERE m.organization_id::text = %(organization_id)s::text
            AND (m.source_id, lower(m.account)) IN (SELECT id, account FROM accounts)
            AND m.created_at + interval '0' >= (SELECT after FROM term)
            AND m.created_at + interval '0' < (SELECT before FROM term)
            AND keyed_text_tokens(
                m.organization_id, m.source_id || ' ' || lower(m.account), m.text_lower
            ) @@ ANY((SELECT tokens FROM terms)::tsquery[])
            AND position((SELECT bytes FROM term) IN convert_to(m.text_lower, 'UTF8')) > 0
            AND cardinality(%(source_ids)s::text[]) > 0
            AND (SELECT count(*) FROM recent_posts) < %(row_limit)s
            AND EXISTS (
                SELECT FROM accounts AS a
                CROSS JOIN LATERAL (
                    SELECT FROM x_mentions AS n
                    WHERE n.organization_id = %(organization_id)s
                        AND n.source_id = a.id
                        AND lower(n.account) = a.account
                        AND n.created_at >= (SELECT after FROM term)
                        AND n.created_at < (SELECT before FROM term)
                    OFFSET 0
                ) AS n
                OFFSET %(recent_limit)s::bigint
            )
        OFFSET 0
    ) AS c
    ORDER BY c.created_at DESC, c.id
    LIMIT %(row_limit)s
)
SELECT
    false AS search_limited, 'post' AS kind, m.id, m.source_id, '@' || m.author_username AS title,
    m.created_at AS at, m.url AS href,
    CASE
        WHEN place.match_at = 0 THEN left(m.text, 4000)
        ELSE substr(m.text, place.excerpt_at, 1400)
    END AS excerpt,
    CASE WHEN place.match_at = 0 THEN 0 ELSE place.match_at - place.excerpt_at + 1 END AS match_at,
    place.excerpt_at = 1 AS starts,
    place.excerpt_at + 1400 > length(m.text) AS ends
FROM (SELECT id FROM recent_posts UNION SELECT id FROM other_posts) AS f
JOIN x_mentions AS m ON m.organization_id = %(organization_id)s AND m.id = f.id
CROSS JOIN LATERAL (
    SELECT b.match_at, greatest(1, b.match_at - 600) AS excerpt_at
    FROM (
        SELECT coalesce(match_position(m.text, (SELECT text FROM term), (SELECT pattern FROM term)), 0) AS match_at
        OFFSET 0
    ) AS b
) AS place;
