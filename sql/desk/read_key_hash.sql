-- Reads the hash of a key, by which the gate finds it, and what people recognize it by.
-- Parameters: organization_id uuid, id uuid.
-- Rows: (key_hash bytea, hint text, name text or null, access text), at most one.
-- Index: api_keys_pkey.
SELECT key_hash, hint, name, access
FROM api_keys
WHERE organization_id = %(organization_id)s AND id = %(id)s;
