-- Deletes a file, or a folder with its contents.
-- Parameters: organization_id uuid, id.
-- Rows: (deleted bigint), contents included.
WITH RECURSIVE tree AS (
    SELECT organization_id, id, source_id FROM assets
    WHERE organization_id = %(organization_id)s AND id = %(id)s
    UNION
    SELECT a.organization_id, a.id, a.source_id
    FROM tree AS t
    JOIN assets AS a
        ON a.organization_id = t.organization_id
        AND coalesce(a.parent_id, '00000000-0000-0000-0000-000000000000') = t.id
),
noted AS (
    INSERT INTO touched_sources (organization_id, source_id)
    SELECT DISTINCT organization_id, source_id FROM tree
    ON CONFLICT DO NOTHING
),
gone AS (
    DELETE FROM assets AS a
    USING tree AS t
    WHERE a.organization_id = t.organization_id AND a.id = t.id
    RETURNING 1
)
SELECT count(*) AS deleted FROM gone;
