-- Finds the token if its name, symbol or address contains a term, or if q is null.
-- Parameters: organization_id uuid; source_ids text[]; q text, after and before timestamptz or
--   null.
-- Rows: the columns of search/find_records; no row if nothing is found.
-- Index: tokens_pkey, sources_pkey.
SELECT
    false AS search_limited, 'token' AS kind, t.address AS id, t.source_id,
    t.name || ' (' || t.symbol || ')' AS title, s.updated_at AS at, NULL::text AS href,
    place.text AS excerpt,
    coalesce(match_position(place.text, fold_text(place.text), term.text, 1), 0) AS match_at,
    true AS starts, true AS ends
FROM tokens AS t
JOIN sources AS s ON s.organization_id = t.organization_id AND s.id = t.source_id
CROSS JOIN (SELECT fold_text(%(q)s::text) AS text) AS term
CROSS JOIN LATERAL (
    SELECT
        CASE
            WHEN strpos(fold_text(t.name), term.text) > 0 THEN t.name
            WHEN strpos(fold_text(t.symbol), term.text) > 0 THEN t.symbol
            WHEN strpos(fold_text(t.address), term.text) > 0 THEN t.address
            WHEN term.text IS NULL THEN t.name || ' (' || t.symbol || ') ' || t.address
        END AS text
) AS place
WHERE t.organization_id = %(organization_id)s
    AND t.source_id = ANY(%(source_ids)s::text[])
    AND lower(t.address) = lower(s.account)
    AND place.text IS NOT NULL
    AND (%(after)s::timestamptz IS NULL OR s.updated_at >= %(after)s)
    AND (%(before)s::timestamptz IS NULL OR s.updated_at < %(before)s);
