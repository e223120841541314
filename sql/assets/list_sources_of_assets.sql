-- Names the source of each of some files and folders.
-- Parameters: organization_id uuid, source_ids text[], asset_ids uuid[].
-- Rows: (id uuid, source_id text).
-- Index: assets_pkey.
SELECT a.id, a.source_id
FROM assets AS a
WHERE a.organization_id = %(organization_id)s
    AND a.id = ANY(%(asset_ids)s::uuid[])
    AND a.source_id = ANY(%(source_ids)s::text[]);
