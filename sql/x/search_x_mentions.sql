-- Lists one page of the mentions of the connected account that match filters, and counts them.
-- Parameters: organization_id uuid, source_ids text[], account text or null; q text, after and
--   before timestamptz or null; sort text: newest, or views (most views first, among the newest
--   views_limit matches); author_id text or null; views_limit, page_size and page_offset bigint.
-- Rows: as list_x_mentions. With sort views, total is at most views_limit.
-- Index: x_mentions_by_account, x_mentions_by_account_and_author, x_mentions_tokens, x_mentions_pkey.
-- Compares texts as bytes, because that takes equally long for every term (docs/decisions.md, 8).
WITH term AS MATERIALIZED (
    SELECT
        convert_to(fold_text(%(q)s::text), 'UTF8') AS bytes,
        keyed_term_tokens(
            %(organization_id)s,
            ARRAY(SELECT s.id || ' ' || lower(%(account)s::text) FROM unnest(%(source_ids)s::text[]) AS s (id)),
            fold_text(%(q)s::text)
        ) AS tokens,
        coalesce(%(after)s::timestamptz, '-infinity') AS after,
        coalesce(%(before)s::timestamptz, 'infinity') AS before
),
found AS MATERIALIZED (
    SELECT f.id, f.created_at, f.author_id FROM x_mentions AS f
    -- Casts: see sql/README.md.
    WHERE f.organization_id::text = %(organization_id)s::text
        AND f.source_id || '' = ANY(%(source_ids)s::text[])
        AND lower(f.account) || '' = (SELECT lower(%(account)s::text))
        AND keyed_text_tokens(
            f.organization_id, f.source_id || ' ' || lower(f.account), f.text_lower
        ) @@ ANY((SELECT tokens FROM term)::tsquery[])
        AND position((SELECT bytes FROM term) IN convert_to(f.text_lower, 'UTF8')) > 0
),
matching AS NOT MATERIALIZED (
    SELECT m.id, m.created_at
    FROM unnest(%(source_ids)s::text[]) AS s (id)
    CROSS JOIN LATERAL (
        SELECT n.id, n.created_at FROM x_mentions AS n
        WHERE n.organization_id = %(organization_id)s
            AND n.source_id = s.id
            AND lower(n.account) = (SELECT lower(%(account)s::text))
            AND n.created_at >= (SELECT after FROM term)
            AND n.created_at < (SELECT before FROM term)
        OFFSET 0
    ) AS m
    WHERE %(q)s::text IS NULL AND %(author_id)s::text IS NULL
    UNION ALL
    SELECT m.id, m.created_at
    FROM x_mentions AS m
    WHERE %(q)s::text IS NULL
        AND m.organization_id = %(organization_id)s
        AND m.author_id = %(author_id)s::text
        AND m.source_id = ANY(%(source_ids)s::text[])
        AND lower(m.account) = (SELECT lower(%(account)s::text))
        AND m.created_at >= (SELECT after FROM term)
        AND m.created_at < (SELECT before FROM term)
    UNION ALL
    SELECT f.id, f.created_at
    FROM found AS f
    WHERE f.created_at >= (SELECT after FROM term)
        AND f.created_at < (SELECT before FROM term)
        AND (%(author_id)s::text IS NULL OR f.author_id = %(author_id)s::text)
),
page AS (
    (
        SELECT n.id, 0 AS views FROM matching AS n
        WHERE %(sort)s::text = 'newest'
        ORDER BY n.created_at DESC, n.id
        LIMIT %(page_size)s OFFSET %(page_offset)s
    )
    UNION ALL
    (
        SELECT n.id, v.views
        FROM (
            SELECT n.id, n.created_at FROM matching AS n
            WHERE %(sort)s::text = 'views'
            ORDER BY n.created_at DESC, n.id
            LIMIT %(views_limit)s::bigint
        ) AS n
        CROSS JOIN LATERAL (
            SELECT (m.metrics ->> 'views')::bigint AS views
            FROM x_mentions AS m
            WHERE m.organization_id = %(organization_id)s AND m.id = n.id
            LIMIT 1
        ) AS v
        ORDER BY v.views DESC, n.created_at DESC, n.id
        LIMIT %(page_size)s OFFSET %(page_offset)s
    )
)
SELECT
    CASE WHEN %(sort)s::text = 'views'
        THEN least(list.match_count, %(views_limit)s::bigint) ELSE list.match_count
    END AS total,
    list.is_conflict,
    {mention}
FROM (
    SELECT
        (SELECT count(*) FROM matching) AS match_count,
        -- ORDER BY makes the planner use the indexes instead of sequential scans.
        {is_anything_stored} AND NOT EXISTS (
            SELECT FROM unnest(%(source_ids)s::text[]) AS s (id)
            CROSS JOIN LATERAL (
                SELECT FROM x_mentions AS o
                WHERE o.organization_id = %(organization_id)s
                    AND o.source_id = s.id
                    AND lower(o.account) = (SELECT lower(%(account)s::text))
                ORDER BY o.created_at DESC
                LIMIT 1
            ) AS o
        ) AS is_conflict
) AS list
LEFT JOIN page ON true
{mentions_of_page}
ORDER BY page.views DESC, m.created_at DESC, m.id;
