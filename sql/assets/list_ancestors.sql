-- Lists a folder and the folders that contain it, up to the root or the first one that the key may
-- not read.
-- Parameters: organization_id uuid, folder_id uuid, source_ids text[].
-- Rows: (name text, parent_id uuid or null), the folder first.
-- Index: assets_pkey.
WITH RECURSIVE ancestors AS (
    SELECT f.name, f.parent_id, 1 AS depth
    FROM assets AS f
    WHERE f.organization_id = %(organization_id)s
        AND f.id = %(folder_id)s
        AND f.source_id = ANY(%(source_ids)s::text[])
    UNION ALL
    SELECT a.name, a.parent_id, c.depth + 1
    FROM ancestors AS c
    JOIN assets AS a
        ON a.organization_id = %(organization_id)s
        AND a.id = c.parent_id
        AND a.source_id = ANY(%(source_ids)s::text[])
)
SELECT name, parent_id FROM ancestors ORDER BY depth;
