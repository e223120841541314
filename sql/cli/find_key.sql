-- One key by its id, held until the transaction ends.
-- Parameters: id uuid.
-- Rows: (organization_id uuid, hint text, access text, scopes text[], expires_at timestamptz,
-- is_revoked boolean, is_expired boolean), at most one.
-- A key's id is all that is given, so the whole table is read.
SELECT
    organization_id, hint, access, scopes, expires_at,
    revoked_at IS NOT NULL AS is_revoked, expires_at <= now() AS is_expired
FROM api_keys
WHERE id = %(id)s
FOR NO KEY UPDATE;
