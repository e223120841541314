-- Locks the staged organizations, so that each has one load at a time.
-- Parameters: none.
-- Rows: to be ignored.
SELECT pg_advisory_xact_lock(hashtextextended(organization_id::text, 0))
FROM (
    SELECT DISTINCT organization_id FROM staged_records ORDER BY organization_id
) AS organizations;
