-- Stores a new key: the hash and the hint of its secret, never the secret itself.
-- Parameters: organization_id uuid, id uuid, key_hash bytea, hint text, name text or null,
-- issued_by uuid, access text, scopes text[], sources text[]: ids of the only sources that it reads, or
-- null for all, days integer: its lifetime.
-- Row: (expires_at timestamptz).
INSERT INTO api_keys (
    organization_id, id, key_hash, hint, name, issued_by, access, scopes, source_ids,
    expires_at
)
VALUES (
    %(organization_id)s, %(id)s, %(key_hash)s, %(hint)s, %(name)s, %(issued_by)s, %(access)s,
    %(scopes)s, %(sources)s, now() + make_interval(hours => 24 * %(days)s)
)
RETURNING expires_at;
