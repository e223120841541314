-- Deletes a member of an organization. The keys that the member issued become ineligible.
-- Parameters: organization_id uuid, id uuid.
-- Row: (deleted bigint, source_ids text[]: null, because members belong to no source).
WITH deleted_rows AS (
    DELETE FROM members
    WHERE organization_id = %(organization_id)s AND user_id = %(id)s
    RETURNING 1
)
SELECT count(*) AS deleted, NULL::text[] AS source_ids FROM deleted_rows;
