-- Lists the identities of the members of one organization.
-- Parameters: organization_id uuid.
-- Rows: (id uuid, display_name text or null, role text, kind text, value text), by name, kind, value.
-- Index: member_identities_pkey, members_pkey.
SELECT m.user_id AS id, m.display_name, m.role, i.kind, i.value
FROM member_identities AS i
INNER JOIN members AS m USING (organization_id, user_id)
WHERE i.organization_id = %(organization_id)s
ORDER BY lower(m.display_name), m.user_id, i.kind, i.value;
