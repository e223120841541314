-- What a user is in an organization, held until the transaction ends.
-- Parameters: organization_id uuid, user_id uuid.
-- Rows: (role text), at most one.
-- Index: members_pkey.
SELECT role
FROM members
WHERE organization_id = %(organization_id)s AND user_id = %(user_id)s
FOR SHARE;
