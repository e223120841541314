-- Deletes the token snapshot of a source; its id is that of the source.
-- Parameters: organization_id uuid, id.
-- Rows: (deleted bigint, source_ids text[] or null: the sources of the deleted records).
WITH gone AS (
    DELETE FROM tokens
    WHERE organization_id = %(organization_id)s AND source_id = %(id)s
    RETURNING source_id
)
SELECT count(*) AS deleted, array_agg(DISTINCT source_id) AS source_ids FROM gone;
