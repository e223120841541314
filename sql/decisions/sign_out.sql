-- Ends the sessions and links of a member that began before.
-- Parameters: organization_id uuid, user_id uuid.
-- Rows: none.
-- Index: members_pkey.
UPDATE members SET signed_out_at = statement_timestamp()
WHERE organization_id = %(organization_id)s AND user_id = %(user_id)s::uuid;
