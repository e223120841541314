-- Finds the organization of a key.
-- Parameters: id uuid.
-- Rows: (organization_id uuid), at most one.
-- Only the key's id is given, so the whole table is read.
SELECT organization_id
FROM api_keys
WHERE id = %(id)s;
