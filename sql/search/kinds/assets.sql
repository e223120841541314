-- Files and folders.

-- kind: asset
-- index: assets_by_source_and_time, assets_tokens; assets_pkey
-- table: assets
-- scopes:
    SELECT s.id AS source_id, s.id AS key, s.record_count FROM sources AS s
    WHERE s.organization_id = %(organization_id)s AND s.id = ANY(%(source_ids)s::text[])
-- in_scope: f.source_id = s.source_id
-- key: f.source_id
-- folded: f.name_folded
-- id: f.id::text
-- at: f.updated_at
-- record:
        SELECT a.source_id, a.name AS title, NULL AS href, ARRAY[a.name] AS texts
        FROM assets AS a
        WHERE a.organization_id = %(organization_id)s AND a.id = f.id::uuid
