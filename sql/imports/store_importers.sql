-- Stores which importers made documents. Skips documents that are not stored.
-- Parameters: organization_id uuid; ids, importers text[]: arrays of equal length.
-- Rows: none.
-- Index: document_importers_pkey, knowledge_pkey.
INSERT INTO document_importers AS t (organization_id, knowledge_id, importer)
SELECT k.organization_id, k.id, d.importer
FROM unnest(%(ids)s::text[], %(importers)s::text[]) AS d (id, importer)
JOIN knowledge AS k ON k.organization_id = %(organization_id)s AND k.id = d.id
ON CONFLICT (organization_id, knowledge_id) DO UPDATE SET importer = excluded.importer;
