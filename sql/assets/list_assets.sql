-- Lists one page of a folder's children, and counts them.
-- Parameters: organization_id uuid, folder_id uuid or null (the root), source_ids text[],
--   page_size and page_offset bigint.
-- Rows: total bigint, the number of all children; folder_source_id and folder_name, null at the
--   root or if the key may not read the folder; then the columns of Asset, one row per child. If
--   the page is empty, one row whose columns of Asset are null.
-- Index: assets_by_folder for the count and the ids of the page, assets_pkey for its records.
-- Children are read only if the key may read the folder, because its id can be computed from its
-- path, and the time would tell whether it exists.
WITH folder AS MATERIALIZED (
    SELECT f.source_id, f.name
    FROM assets AS f
    WHERE f.organization_id = %(organization_id)s
        -- ANY of an array: Citus would ask all shards for `= NULL`, which no row can match.
        AND f.id = ANY(ARRAY[%(folder_id)s::uuid])
        AND f.kind = 'folder'
        AND f.source_id = ANY(%(source_ids)s::text[])
),
children AS NOT MATERIALIZED (
    SELECT a.id, a.kind, a.name_lower
    FROM assets AS a
    WHERE a.organization_id = %(organization_id)s
        AND coalesce(a.parent_id, '00000000-0000-0000-0000-000000000000')
            = coalesce(%(folder_id)s::uuid, '00000000-0000-0000-0000-000000000000')
        AND a.source_id = ANY(%(source_ids)s::text[])
        AND (%(folder_id)s::uuid IS NULL OR EXISTS (SELECT FROM folder))
)
SELECT
    list.total, folder.source_id AS folder_source_id, folder.name AS folder_name,
    a.id, a.parent_id, a.kind, a.name, a.mime, a.bytes, a.public, a.public_url,
    a.uploaded_by_id AS "uploaded_by.id", a.uploaded_by_name AS "uploaded_by.display_name",
    a.created_at, a.updated_at
FROM (SELECT count(*) AS total FROM children) AS list
LEFT JOIN folder ON true
LEFT JOIN (
    SELECT id FROM children
    ORDER BY kind DESC, name_lower COLLATE "C", id
    LIMIT %(page_size)s OFFSET %(page_offset)s
) AS page ON true
LEFT JOIN LATERAL (
    SELECT * FROM assets AS a
    WHERE a.organization_id = %(organization_id)s AND a.id = page.id
    LIMIT 1
) AS a ON true
ORDER BY a.kind DESC, a.name_lower COLLATE "C", a.id;
