-- Lists one page of the mentions of the connected account that match filters, and counts all that match.
-- Parameters: organization_id uuid, source_ids text[], account text or null; q text, after and
--   before timestamptz, author_id text, each null for all; sort text: newest, or views (most views first,
--   among the newest views_limit matches); views_limit, page_size and page_offset bigint.
-- Rows: total bigint, with sort views at most views_limit; is_conflict boolean: whether mentions are
--   stored, but none of the account; then the columns of XMention. If the page is empty, one row whose
--   columns of XMention are null.
-- Index: x_mentions_by_account, x_mentions_by_account_and_author, x_mentions_tokens, x_mentions_pkey.
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
with_term AS MATERIALIZED (
    SELECT f.id, f.created_at, f.author_id FROM x_mentions AS f
    WHERE f.organization_id::text = %(organization_id)s::text
        AND f.source_id || '' = ANY(%(source_ids)s::text[])
        AND lower(f.account) || '' = (SELECT lower(%(account)s::text))
        AND keyed_text_tokens(
            f.organization_id, f.source_id || ' ' || lower(f.account), f.text_lower
        ) @@ ANY((SELECT tokens FROM term)::tsquery[])
        AND position((SELECT bytes FROM term) IN convert_to(f.text_lower, 'UTF8')) > 0
),
of_account AS NOT MATERIALIZED (
    SELECT m.id, m.created_at, m.author_id FROM x_mentions AS m
    WHERE %(q)s::text IS NULL
        AND m.organization_id = %(organization_id)s
        AND m.source_id = ANY(%(source_ids)s::text[])
        AND lower(m.account) = (SELECT lower(%(account)s::text))
        AND m.created_at >= (SELECT after FROM term)
        AND m.created_at < (SELECT before FROM term)
),
matching AS NOT MATERIALIZED (
    SELECT f.id, f.created_at FROM with_term AS f
    WHERE f.created_at >= (SELECT after FROM term)
        AND f.created_at < (SELECT before FROM term)
        AND (%(author_id)s::text IS NULL OR f.author_id = %(author_id)s)
    UNION ALL
    SELECT id, created_at FROM of_account WHERE %(author_id)s::text IS NULL
    UNION ALL
    SELECT id, created_at FROM of_account WHERE author_id = %(author_id)s::text
),
sorted AS NOT MATERIALIZED (
    SELECT n.id, n.created_at, 0 AS views FROM matching AS n WHERE %(sort)s::text = 'newest'
    UNION ALL
    SELECT n.id, n.created_at, v.views
    FROM (
        SELECT * FROM matching
        WHERE %(sort)s::text = 'views'
        ORDER BY created_at DESC, id
        LIMIT %(views_limit)s::bigint
    ) AS n
    CROSS JOIN LATERAL (
        SELECT (m.metrics ->> 'views')::bigint AS views
        FROM x_mentions AS m
        WHERE m.organization_id = %(organization_id)s AND m.id = n.id
        LIMIT 1
    ) AS v
)
SELECT
    CASE %(sort)s::text WHEN 'views' THEN least(list.match_count, %(views_limit)s::bigint)
        ELSE list.match_count END AS total,
    list.is_conflict,
    m.id, m.url, m.text, m.created_at, m.metrics, m.is_reply, m.is_repost,
    m.author_id AS "author.id", m.author_username AS "author.username",
    m.author_name AS "author.name", m.author_verified AS "author.verified",
    m.media, m.quoted
FROM (
    SELECT
        (SELECT count(*) FROM matching) AS match_count,
        -- ORDER BY makes the planner use the indexes instead of sequential scans.
        EXISTS (
            SELECT FROM unnest(%(source_ids)s::text[]) AS s (id)
            CROSS JOIN LATERAL (
                SELECT FROM x_mentions AS a
                WHERE a.organization_id = %(organization_id)s AND a.source_id = s.id
                ORDER BY lower(a.account)
                LIMIT 1
            ) AS a
        ) AND NOT EXISTS (
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
LEFT JOIN (
    SELECT * FROM sorted
    ORDER BY views DESC, created_at DESC, id
    LIMIT %(page_size)s OFFSET %(page_offset)s
) AS page ON true
LEFT JOIN LATERAL (
    SELECT * FROM x_mentions AS m
    WHERE m.organization_id = %(organization_id)s AND m.id = page.id
    LIMIT 1
) AS m ON true
ORDER BY page.views DESC, m.created_at DESC, m.id;
