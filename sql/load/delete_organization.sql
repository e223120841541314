-- Deletes an organization and everything in it.
-- Deletes its lock too: a load that waits for the lock then inserts a new one.
-- Parameters: organization_id uuid, id.
-- Rows: (deleted bigint, source_ids: null).
WITH gone AS (
    DELETE FROM organizations
    WHERE organization_id = %(organization_id)s AND organization_id = %(id)s
    RETURNING 1
),
unlocked AS (
    DELETE FROM organization_locks WHERE organization_id = %(organization_id)s
)
SELECT count(*) AS deleted, NULL::text[] AS source_ids FROM gone;
