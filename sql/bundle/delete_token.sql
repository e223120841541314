-- Deletes the token snapshot of a source. The id of the snapshot is the id of the source.
-- Parameters: organization_id uuid, id text.
-- Row: (deleted bigint, source_ids text[]: the sources of the deleted records, null if there are
--   none).
WITH deleted_rows AS (
    DELETE FROM tokens
    WHERE organization_id = %(organization_id)s AND source_id = %(id)s
    RETURNING source_id
)
SELECT count(*) AS deleted, array_agg(DISTINCT source_id) AS source_ids FROM deleted_rows;
