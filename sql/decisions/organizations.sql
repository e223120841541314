-- name: find_organization
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

-- name: create_organization
-- Creates an organization on the standard plan.
-- Parameters: organization_id uuid, slug text, display_name text.
INSERT INTO organizations (
    organization_id, display_name, slug, created_at, updated_at, plan, verified_holding, preview
)
VALUES (
    %(organization_id)s, %(display_name)s, %(slug)s, now(), now(), 'standard', 0, false
);

-- name: create_profile
-- Creates the source of an organization's own name and slug, which is not approved.
-- Parameters: organization_id uuid, id text, label text.
INSERT INTO sources (organization_id, id, kind, label, description, status, updated_at)
VALUES (
    %(organization_id)s, %(id)s, 'profile', %(label)s, 'Name and slug of the organization',
    'current', now()
);
