-- Lists the ids of the files and folders of one source.
-- Parameters: organization_id uuid, source_id text.
-- Rows: (id uuid), by id.
-- Index: assets_by_source.
SELECT id
FROM assets
WHERE organization_id = %(organization_id)s AND source_id = %(source_id)s
ORDER BY id;
