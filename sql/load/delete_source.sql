-- Deletes a source and its records.
-- Parameters: organization_id uuid, id.
-- Rows: (deleted bigint, source_ids: null).
WITH noted AS (
    INSERT INTO touched_people (organization_id, platform, person_id)
    SELECT organization_id, platform, person_id FROM people
    WHERE organization_id = %(organization_id)s AND source_id = %(id)s
    ON CONFLICT DO NOTHING
),
gone AS (
    DELETE FROM sources
    WHERE organization_id = %(organization_id)s AND id = %(id)s
    RETURNING 1
)
SELECT count(*) AS deleted, NULL::text[] AS source_ids FROM gone;
