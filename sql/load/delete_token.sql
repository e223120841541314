-- Deletes the token snapshot of a source; its id is that of the source.
-- Parameters: organization_id uuid, id.
-- Rows: (deleted bigint).
WITH gone AS (
    DELETE FROM tokens
    WHERE organization_id = %(organization_id)s AND source_id = %(id)s
    RETURNING organization_id, source_id
),
noted AS (
    INSERT INTO touched_sources (organization_id, source_id)
    SELECT organization_id, source_id FROM gone
    ON CONFLICT DO NOTHING
)
SELECT count(*) AS deleted FROM gone;
