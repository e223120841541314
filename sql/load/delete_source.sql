-- Deletes a source and what belongs to it.
-- Parameters: organization_id uuid, id.
-- Rows: (deleted bigint).
WITH gone AS (
    DELETE FROM sources
    WHERE organization_id = %(organization_id)s AND id = %(id)s
    RETURNING 1
)
SELECT count(*) AS deleted FROM gone;
