-- Locks the staged organizations, so that each has one load at a time.
-- Parameters: none.
-- Rows: none.
INSERT INTO organization_locks (organization_id)
SELECT DISTINCT organization_id FROM staged_records ORDER BY organization_id
ON CONFLICT (organization_id) DO UPDATE SET organization_id = excluded.organization_id;
