-- Revokes a key permanently. If it is already revoked, changes nothing.
-- Parameters: organization_id uuid, id uuid, revoked_by uuid.
-- Rows: none.
-- Index: api_keys_pkey.
UPDATE api_keys
SET revoked_at = now(), revoked_by = %(revoked_by)s
WHERE organization_id = %(organization_id)s AND id = %(id)s AND revoked_at IS NULL;
