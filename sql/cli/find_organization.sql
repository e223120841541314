-- The organization with an id, else those with a slug.
-- Parameters: id uuid or null, slug text.
-- Rows: (organization_id uuid), by id; several only where a slug is shared.
-- Index: organizations_pkey; a slug is sought in the whole table.
SELECT organization_id
FROM organizations
WHERE organization_id = %(id)s::uuid
    OR (
        slug = %(slug)s
        AND NOT EXISTS (SELECT FROM organizations WHERE organization_id = %(id)s::uuid)
    )
ORDER BY organization_id;
