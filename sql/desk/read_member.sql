-- Reads a member and the name of the organization.
-- Parameters: organization_id uuid, user_id uuid.
-- Rows: (user_id uuid, display_name text or null, role text, organization_name text, slug text), at
--   most one.
-- Index: members_pkey, organizations_pkey.
SELECT m.user_id, m.display_name, m.role, o.display_name AS organization_name, o.slug
FROM members AS m
INNER JOIN organizations AS o USING (organization_id)
WHERE m.organization_id = %(organization_id)s AND m.user_id = %(user_id)s::uuid;
