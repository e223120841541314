-- Lists the knowledge items of one source.
-- Parameters: organization_id uuid, source_id text.
-- Rows: (id text, importer text: null if unknown), by id.
-- Index: knowledge_by_source_and_time, document_importers_pkey.
SELECT k.id, i.importer
FROM knowledge AS k
LEFT JOIN document_importers AS i
    ON i.organization_id = k.organization_id AND i.knowledge_id = k.id
WHERE k.organization_id = %(organization_id)s AND k.source_id = %(source_id)s
ORDER BY k.id;
