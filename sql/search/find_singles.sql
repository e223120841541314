-- Finds the organization and its token, the only records of their sources, if a text of theirs contains a term, or
-- if q is null.
-- Parameters: organization_id uuid; source_ids text[]; q text, after and before timestamptz or null.
-- Rows: the columns of search/find_records; no row if nothing is found.
-- Index: organizations_pkey, tokens_pkey, sources_pkey.
SELECT
    false AS search_limited, r.kind, r.id, r.source_id, r.title, r.at, NULL::text AS href, r.text AS excerpt,
    coalesce(match_position(r.text, fold_text(r.text), r.term, 1), 0) AS match_at, true AS starts, true AS ends
FROM (
    SELECT
        s.*, q.term,
        CASE WHEN q.term IS NULL THEN s.whole ELSE (
            SELECT t.text FROM unnest(s.texts) WITH ORDINALITY AS t (text, number)
            WHERE strpos(fold_text(t.text), q.term) > 0
            ORDER BY t.number
            LIMIT 1
        ) END AS text
    FROM (SELECT fold_text(%(q)s::text) AS term) AS q
    CROSS JOIN (
        SELECT
            'profile' AS kind, o.organization_id::text AS id, s.id AS source_id, o.display_name AS title,
            o.updated_at AS at, o.display_name AS whole, ARRAY[o.display_name, o.slug] AS texts
        FROM organizations AS o
        JOIN sources AS s ON s.organization_id = o.organization_id AND s.id = ANY(%(source_ids)s::text[])
        WHERE o.organization_id = %(organization_id)s AND s.kind = 'profile'
        UNION ALL
        SELECT
            'token', t.address, t.source_id, t.name || ' (' || t.symbol || ')', s.updated_at,
            t.name || ' (' || t.symbol || ') ' || t.address, ARRAY[t.name, t.symbol, t.address]
        FROM tokens AS t
        JOIN sources AS s ON s.organization_id = t.organization_id AND s.id = t.source_id
        WHERE t.organization_id = %(organization_id)s
            AND t.source_id = ANY(%(source_ids)s::text[])
            AND lower(t.address) = lower(s.account)
    ) AS s
) AS r
WHERE r.text IS NOT NULL
    AND (%(after)s::timestamptz IS NULL OR r.at >= %(after)s)
    AND (%(before)s::timestamptz IS NULL OR r.at < %(before)s);
