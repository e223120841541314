-- Renames a key and lets it expire sooner; it never expires later than before.
-- Parameters: organization_id uuid, id uuid, name text or null, seconds integer: time until it expires,
-- changed_by uuid.
-- Row: (name text or null, expires_at timestamptz).
-- Index: api_keys_pkey.
UPDATE api_keys
SET
    name = %(name)s, expires_at = least(expires_at, now() + make_interval(secs => %(seconds)s)),
    changed_by = %(changed_by)s, changed_at = now()
WHERE organization_id = %(organization_id)s AND id = %(id)s
RETURNING name, expires_at;
