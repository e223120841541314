-- Lists the knowledge items of one source.
-- Parameters: organization_id uuid, source_id text.
-- Rows: (id, title text, content_digest bytea, is_suppressed boolean, importer text: null if unknown),
--   by id.
-- Index: knowledge_by_source_and_time, knowledge_suppressions_pkey, document_importers_pkey.
SELECT
    k.id, k.title, k.content_digest, s.knowledge_id IS NOT NULL AS is_suppressed, i.importer
FROM knowledge AS k
LEFT JOIN knowledge_suppressions AS s
    ON s.organization_id = k.organization_id AND s.knowledge_id = k.id
LEFT JOIN document_importers AS i
    ON i.organization_id = k.organization_id AND i.knowledge_id = k.id
WHERE k.organization_id = %(organization_id)s AND k.source_id = %(source_id)s
ORDER BY k.id;
