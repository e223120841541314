-- Finds the organization if its name or slug contains a term, or if q is null.
-- Parameters: organization_id uuid; source_ids text[]; q text, after and before timestamptz or
--   null.
-- Rows: the columns of search/find_records; no row if nothing is found.
-- Index: organizations_pkey, sources_pkey.
SELECT
    false AS search_limited, 'profile' AS kind, o.organization_id::text AS id, s.id AS source_id,
    o.display_name AS title, o.updated_at AS at, NULL::text AS href, place.text AS excerpt,
    coalesce(match_position(place.text, fold_text(place.text), term.text, 1), 0) AS match_at,
    true AS starts, true AS ends
FROM organizations AS o
JOIN sources AS s
    ON s.organization_id = o.organization_id AND s.id = ANY(%(source_ids)s::text[])
CROSS JOIN (SELECT fold_text(%(q)s::text) AS text) AS term
CROSS JOIN LATERAL (
    SELECT
        CASE
            WHEN strpos(fold_text(o.display_name), term.text) > 0 THEN o.display_name
            WHEN strpos(fold_text(o.slug), term.text) > 0 THEN o.slug
            WHEN term.text IS NULL THEN o.display_name
        END AS text
) AS place
WHERE o.organization_id = %(organization_id)s
    AND place.text IS NOT NULL
    AND (%(after)s::timestamptz IS NULL OR o.updated_at >= %(after)s)
    AND (%(before)s::timestamptz IS NULL OR o.updated_at < %(before)s);
