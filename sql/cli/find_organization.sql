-- Finds the organization with this id. If id is null, finds the organizations with this slug.
-- Parameters: id uuid or null, slug text.
-- Rows: (organization_id uuid), by id; several only if they share a slug.
-- Index: organizations_pkey for an id. For a slug, scans the whole table.
SELECT organization_id
FROM organizations
WHERE organization_id = %(id)s::uuid
    OR (
        slug = %(slug)s
        AND NOT EXISTS (SELECT FROM organizations WHERE organization_id = %(id)s::uuid)
    )
ORDER BY organization_id;
