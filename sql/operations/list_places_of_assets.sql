-- Reads the places of some files and folders: the folders that contain each, up to the root or the
-- first one that the key may not read.
-- Parameters: organization_id uuid, source_ids text[], asset_ids uuid[].
-- Rows: (id uuid, source_id text, kind text, bytes bigint, public_url text or null, is_cut boolean:
--   whether the key may not read the folder that contains the first one, folders text[]: names, the
--   outermost first).
-- Index: assets_pkey.
WITH RECURSIVE places AS (
    SELECT
        a.id, a.source_id, a.kind, a.bytes, a.public_url, a.parent_id AS folder_id,
        '{}'::text[] AS folders
    FROM assets AS a
    WHERE a.organization_id = %(organization_id)s
        AND a.id = ANY(%(asset_ids)s::uuid[])
        AND a.source_id = ANY(%(source_ids)s::text[])
    UNION ALL
    SELECT
        p.id, p.source_id, p.kind, p.bytes, p.public_url, f.parent_id, f.name || p.folders
    FROM places AS p
    JOIN assets AS f
        ON f.organization_id = %(organization_id)s
        AND f.id = p.folder_id
        AND f.source_id = ANY(%(source_ids)s::text[])
)
SELECT DISTINCT ON (p.id)
    p.id, p.source_id, p.kind, p.bytes, p.public_url, p.folder_id IS NOT NULL AS is_cut, p.folders
FROM places AS p
ORDER BY p.id, cardinality(p.folders) DESC;
