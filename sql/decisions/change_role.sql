-- Changes the role of a member.
-- Parameters: organization_id uuid, user_id uuid, role text: owner, admin, member or removed.
-- Rows: none.
-- Index: members_pkey.
UPDATE members SET role = %(role)s
WHERE organization_id = %(organization_id)s AND user_id = %(user_id)s;
