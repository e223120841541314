-- Reads one key of an organization, without the hash of its secret. Locks it until the transaction
-- ends.
-- Parameters: organization_id uuid, id uuid.
-- Rows: (hint text, name text or null, access text, scopes text[], sources text[]: ids of the only
-- sources that it reads, or null for all, expires_at timestamptz, is_revoked boolean, is_expired
-- boolean, lifetime_days integer, rounded), at most one.
-- Index: api_keys_pkey.
SELECT
    hint, name, access, scopes, source_ids AS sources, expires_at,
    revoked_at IS NOT NULL AS is_revoked, expires_at <= now() AS is_expired,
    round(extract(epoch FROM expires_at - created_at) / 86400)::integer AS lifetime_days
FROM api_keys
WHERE organization_id = %(organization_id)s AND id = %(id)s
FOR NO KEY UPDATE;
