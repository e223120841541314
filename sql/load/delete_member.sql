-- Deletes a membership; the keys of that member become ineligible.
-- Parameters: organization_id uuid, id.
-- Rows: (deleted bigint, source_ids: null).
WITH gone AS (
    DELETE FROM members
    WHERE organization_id = %(organization_id)s AND user_id = %(id)s
    RETURNING 1
)
SELECT count(*) AS deleted, NULL::text[] AS source_ids FROM gone;
