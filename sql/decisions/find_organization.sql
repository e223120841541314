-- Finds the organization with this id; else those with this slug; else, if by_name, those with this
-- display name, ignoring case.
-- Parameters: id uuid or null, name text, by_name boolean.
-- Rows: (organization_id uuid, slug text), by id; several only if they share the slug or name.
-- Scans the whole table.
WITH matches AS (
    SELECT
        organization_id, slug,
        CASE
            WHEN organization_id = %(id)s::uuid THEN 1
            WHEN slug = %(name)s THEN 2
            WHEN %(by_name)s AND lower(display_name) = lower(%(name)s) THEN 3
        END AS match_rank
    FROM organizations
)
SELECT organization_id, slug
FROM matches
WHERE match_rank = (SELECT min(match_rank) FROM matches)
ORDER BY organization_id;
