-- Deletes an organization and everything in it.
-- Parameters: organization_id uuid, id.
-- Rows: (deleted bigint).
WITH gone AS (
    DELETE FROM organizations
    WHERE organization_id = %(organization_id)s AND organization_id = %(id)s
    RETURNING 1
)
SELECT count(*) AS deleted FROM gone;
