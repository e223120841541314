-- Deletes a source and its records. Inserts its people into touched_people, so that their other
-- sources are recomputed.
-- Parameters: organization_id uuid, id text.
-- Row: (deleted bigint, source_ids text[]: null, because the source itself is deleted).
WITH touched_rows AS (
    INSERT INTO touched_people (organization_id, platform, person_id)
    SELECT organization_id, platform, person_id FROM people
    WHERE organization_id = %(organization_id)s AND source_id = %(id)s
    ON CONFLICT DO NOTHING
),
deleted_rows AS (
    DELETE FROM sources
    WHERE organization_id = %(organization_id)s AND id = %(id)s
    RETURNING 1
)
SELECT count(*) AS deleted, NULL::text[] AS source_ids FROM deleted_rows;
