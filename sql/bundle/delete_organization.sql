-- Deletes an organization and everything in it.
-- Also deletes its row in organization_locks. A load that waits for this row inserts a new one.
-- Parameters: organization_id uuid, id uuid: the same value.
-- Row: (deleted bigint, source_ids text[]: null, because the sources are deleted too).
WITH deleted_rows AS (
    DELETE FROM organizations
    WHERE organization_id = %(organization_id)s AND organization_id = %(id)s
    RETURNING 1
),
unlocked AS (
    DELETE FROM organization_locks WHERE organization_id = %(organization_id)s
)
SELECT count(*) AS deleted, NULL::text[] AS source_ids FROM deleted_rows;
