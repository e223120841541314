-- name: list_organizations
-- Lists all organizations, or those with this id or slug, the former first. Scans the whole table.
-- Parameters: id uuid, slug text: both null for all.
-- Rows: (id uuid, slug text, display_name text, plan text, verified_holding numeric,
-- preview boolean, created_at timestamptz, updated_at timestamptz), by slug and id.
SELECT
    organization_id AS id, slug, display_name, plan, verified_holding, preview,
    created_at, updated_at
FROM organizations
WHERE %(slug)s::text IS NULL OR slug = %(slug)s OR organization_id = %(id)s::uuid
ORDER BY organization_id = %(id)s::uuid DESC, slug, organization_id;

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
