-- name: find_organization
-- Finds the organization with this id, else the one with this slug.
-- Parameters: id uuid or null, slug text.
-- Row: (organization_id uuid). Scans the whole table.
SELECT organization_id
FROM organizations
WHERE organization_id = %(id)s::uuid OR slug = %(slug)s
ORDER BY coalesce(organization_id = %(id)s::uuid, false) DESC
LIMIT 1;

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
