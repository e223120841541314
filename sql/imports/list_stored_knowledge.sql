-- Lists the knowledge items of one source, and the full contents of the suppressed ones.
-- Parameters: organization_id uuid, source_id text.
-- Rows: (id, title text, content_digest bytea, suppressed text: the content of a suppressed item,
--   else null, importer text: null if unknown), by id.
-- Index: knowledge_by_source_and_time, knowledge_suppressions_pkey, knowledge_chunks_pkey,
-- document_importers_pkey.
SELECT
    k.id, k.title, k.content_digest,
    CASE WHEN s.knowledge_id IS NOT NULL THEN (
        SELECT coalesce(string_agg(c.content, '' ORDER BY c.first_unit), '')
        FROM knowledge_chunks AS c
        WHERE c.organization_id = k.organization_id AND c.knowledge_id = k.id
    ) END AS suppressed,
    i.importer
FROM knowledge AS k
LEFT JOIN knowledge_suppressions AS s
    ON s.organization_id = k.organization_id AND s.knowledge_id = k.id
LEFT JOIN document_importers AS i
    ON i.organization_id = k.organization_id AND i.knowledge_id = k.id
WHERE k.organization_id = %(organization_id)s AND k.source_id = %(source_id)s
ORDER BY k.id;
