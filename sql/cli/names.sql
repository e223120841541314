-- name: find_key
-- Finds the organization of a key.
-- Parameters: id uuid.
-- Rows: (organization_id uuid), at most one.
-- Scans the whole table, because no index begins with the id of a key.
SELECT organization_id
FROM api_keys
WHERE id = %(id)s;

-- name: list_organizations
-- Lists all organizations.
-- Rows: (id uuid, slug text, display_name text, plan text, verified_holding numeric,
-- preview boolean, created_at timestamptz, updated_at timestamptz), by slug and id.
SELECT
    organization_id AS id, slug, display_name, plan, verified_holding, preview,
    created_at, updated_at
FROM organizations
ORDER BY slug, organization_id;
