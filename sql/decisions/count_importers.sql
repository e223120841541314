-- Counts the documents of one source by the importer that made them.
-- Parameters: organization_id uuid, source_id text.
-- Rows: (importer text: null if unknown, count bigint), most first.
-- Index: knowledge_by_source_and_time, document_importers_pkey.
SELECT i.importer, count(*) AS count
FROM knowledge AS k
LEFT JOIN document_importers AS i
    ON i.organization_id = k.organization_id AND i.knowledge_id = k.id
WHERE k.organization_id = %(organization_id)s AND k.source_id = %(source_id)s
GROUP BY i.importer
ORDER BY count(*) DESC, i.importer;
