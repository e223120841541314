-- Reads one file or folder.
-- Parameters: organization_id uuid, id uuid, source_ids text[].
-- Rows: source_id, then the columns of Asset; no row if there is no such file or folder.
-- Index: assets_pkey.
SELECT
    a.source_id, a.id, a.parent_id, a.kind, a.name, a.mime, a.bytes, a.public, a.public_url,
    a.uploaded_by_id AS "uploaded_by.id", a.uploaded_by_name AS "uploaded_by.display_name",
    a.created_at, a.updated_at
FROM assets AS a
WHERE a.organization_id = %(organization_id)s
    AND a.id = %(id)s
    AND a.source_id = ANY(%(source_ids)s::text[]);
