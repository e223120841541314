-- Finds the member of an organization with this id. If user_id is null, finds the members with this
-- display name, ignoring case. Locks them until the transaction ends.
-- Parameters: organization_id uuid, user_id uuid or null, name text.
-- Rows: (user_id uuid, display_name text or null, role text), by id.
-- Index: members_pkey.
SELECT user_id, display_name, role
FROM lock_members(%(organization_id)s, %(user_id)s::uuid, %(name)s);
