-- Changes the name and the rights of a key; its secret and expiry stay the same.
-- Parameters: organization_id uuid, id uuid, name text or null, access text, scopes text[], sources
-- text[]: ids of the only sources that it reads, or null for all, changed_by uuid.
-- Rows: none.
-- Index: api_keys_pkey.
UPDATE api_keys
SET
    name = %(name)s, access = %(access)s, scopes = %(scopes)s, source_ids = %(sources)s,
    changed_by = %(changed_by)s, changed_at = now()
WHERE organization_id = %(organization_id)s AND id = %(id)s;
