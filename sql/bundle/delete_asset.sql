-- Deletes a file, or a folder with its contents.
-- Parameters: organization_id uuid, id uuid.
-- Row: (deleted bigint: the number of files and folders, source_ids text[]: their sources, null if
--   there are none).
-- Index: assets_by_folder, assets_pkey.
WITH RECURSIVE tree AS (
    SELECT a.id FROM assets AS a
    WHERE a.organization_id = %(organization_id)s AND a.id = %(id)s
    UNION
    SELECT a.id
    FROM tree AS t
    JOIN assets AS a
        ON a.organization_id = %(organization_id)s
        AND coalesce(a.parent_id, '00000000-0000-0000-0000-000000000000') = t.id
),
deleted_rows AS (
    DELETE FROM assets AS a
    USING tree AS t
    WHERE a.organization_id = %(organization_id)s AND a.id = t.id
    RETURNING a.source_id
)
SELECT count(*) AS deleted, array_agg(DISTINCT source_id) AS source_ids FROM deleted_rows;
