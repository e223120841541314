-- Finds the newest folders and files whose name contains a term, or the newest of all if q is null.
-- Works like search/find_messages.
-- Parameters: organization_id uuid; source_ids text[]; q text, after and before timestamptz or
--   null; row_limit and recent_limit bigint: as in find_messages; since_setting text: the setting in
--   which find_messages stored a time; if it is not empty, older records are ignored.
-- Rows: the columns of search/find_messages; no row if nothing is found.
-- Index: assets_by_source_and_time, assets_tokens; assets_pkey.
WITH term AS MATERIALIZED (
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
            %(organization_id)s, %(source_ids)s::text[], (SELECT text FROM term)
        ) AS tokens
),
-- As in search/find_messages.
bound AS MATERIALIZED (
    SELECT r.updated_at
    FROM unnest(%(source_ids)s::text[]) AS s (id)
    CROSS JOIN LATERAL (
        SELECT a.updated_at FROM assets AS a
        WHERE a.organization_id = %(organization_id)s
            AND a.source_id = s.id
            AND a.updated_at >= (SELECT after FROM term)
            AND a.updated_at < (SELECT before FROM term)
        ORDER BY a.updated_at DESC
        LIMIT 1 + 2 * %(recent_limit)s::bigint / nullif(cardinality(%(source_ids)s::text[]), 0)
    ) AS r
    ORDER BY r.updated_at DESC
    OFFSET %(recent_limit)s::bigint - 1 LIMIT 1
),
recent_assets AS MATERIALIZED (
    SELECT r.id FROM (
        SELECT a.* FROM unnest(%(source_ids)s::text[]) AS s (id)
        CROSS JOIN LATERAL (
            SELECT a.* FROM assets AS a
            WHERE a.organization_id = %(organization_id)s
                AND a.source_id = s.id
                AND a.updated_at >= coalesce((SELECT updated_at FROM bound), (SELECT after FROM term))
                AND a.updated_at < (SELECT before FROM term)
            ORDER BY a.updated_at DESC
            FETCH FIRST (%(recent_limit)s::bigint) ROWS WITH TIES
        ) AS a
        ORDER BY a.updated_at DESC
        FETCH FIRST (%(recent_limit)s::bigint) ROWS WITH TIES
    ) AS r
    WHERE (SELECT text FROM term) IS NULL
        OR position((SELECT bytes FROM term) IN convert_to(r.name_folded, 'UTF8')) > 0
    ORDER BY r.updated_at DESC, r.id
    LIMIT %(row_limit)s
),
other_assets AS (
    SELECT c.id FROM (
        SELECT a.* FROM assets AS a
        -- The cast and the interval keep PostgreSQL from also reading other indexes.
        WHERE a.organization_id::text = %(organization_id)s::text
            AND a.source_id || '' = ANY(%(source_ids)s::text[])
            AND a.updated_at + interval '0' >= (SELECT after FROM term)
            AND a.updated_at + interval '0' < (SELECT before FROM term)
            AND keyed_text_tokens(
                a.organization_id, a.source_id, a.name_folded
            ) @@ ANY((SELECT tokens FROM terms)::tsquery[])
            AND position((SELECT bytes FROM term) IN convert_to(a.name_folded, 'UTF8')) > 0
            AND cardinality(%(source_ids)s::text[]) > 0
            AND (SELECT count(*) FROM recent_assets) < %(row_limit)s
            AND EXISTS (
                SELECT FROM assets AS n
                WHERE n.organization_id = %(organization_id)s
                    AND n.source_id = ANY(%(source_ids)s::text[])
                    AND n.updated_at >= (SELECT after FROM term)
                    AND n.updated_at < (SELECT before FROM term)
                OFFSET %(recent_limit)s::bigint
            )
        OFFSET 0
    ) AS c
    ORDER BY c.updated_at DESC, c.id
    LIMIT %(row_limit)s
)
SELECT
    false AS search_limited, 'asset' AS kind, a.id::text AS id, a.source_id, a.name AS title,
    a.updated_at AS at, NULL::text AS href, a.name AS excerpt,
    coalesce(match_position(a.name, (SELECT text FROM term), (SELECT pattern FROM term)), 0) AS match_at,
    true AS starts, true AS ends
FROM (SELECT id FROM recent_assets UNION SELECT id FROM other_assets) AS f
JOIN assets AS a ON a.organization_id = %(organization_id)s AND a.id = f.id;
