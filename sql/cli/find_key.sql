-- Finds the organization of a key.
-- Parameters: id uuid.
-- Rows: (organization_id uuid), at most one.
-- Scans the whole table, because no index begins with the id of a key.
SELECT organization_id
FROM api_keys
WHERE id = %(id)s;
