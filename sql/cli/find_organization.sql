-- Finds the organization with an id, or else the organizations with a slug.
-- Parameters: id uuid or null, slug text.
-- Rows: (organization_id uuid), by id; several only if they share a slug.
-- Index: organizations_pkey; for a slug the whole table is read.
SELECT organization_id
FROM organizations
WHERE organization_id = %(id)s::uuid
    OR (
        slug = %(slug)s
        AND NOT EXISTS (SELECT FROM organizations WHERE organization_id = %(id)s::uuid)
    )
ORDER BY organization_id;
