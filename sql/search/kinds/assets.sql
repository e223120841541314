-- Files and folders.

-- kind: asset
-- index: assets_by_source_and_time, assets_tokens; assets_pkey
-- table: assets
-- folded: f.name_folded
-- id: f.id::text
-- at: f.updated_at
-- record:
        SELECT a.source_id, a.name AS title, NULL AS href, ARRAY[a.name] AS texts
        FROM assets AS a
        WHERE a.organization_id = %(organization_id)s AND a.id = f.id::uuid
