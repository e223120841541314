-- name: find_key
-- Finds the organization of a key.
-- Scans the whole table, because no index begins with the id of a key.
SELECT organization_id
FROM api_keys
WHERE id = %(id)s;

-- name: list_organizations
-- Lists all organizations.
SELECT
    organization_id AS id, slug, display_name, plan, verified_holding, preview,
    created_at, updated_at
FROM organizations
ORDER BY slug, organization_id;
