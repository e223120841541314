-- Removes an identity.
-- Parameters: organization_id uuid, kind text, value text.
-- Rows: none.
-- Index: member_identities_pkey.
DELETE FROM member_identities
WHERE organization_id = %(organization_id)s AND kind = %(kind)s AND value = %(value)s;
