-- Deletes the stored deletions of records that an import has stored again.
-- Parameters: organization_id uuid, source_id text; types, ids text[]: arrays of equal length.
-- Rows: none.
-- Index: deleted_records_pkey.
DELETE FROM deleted_records AS t
USING unnest(%(types)s::text[], %(ids)s::text[]) AS d (type, id)
WHERE t.organization_id = %(organization_id)s
    AND t.source_id = %(source_id)s
    AND t.type = d.type
    AND t.id = d.id;
