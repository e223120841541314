-- Lists the suppressed knowledge items of the other sources of an organization.
-- Parameters: organization_id uuid, source_id text: the source to leave out.
-- Rows: (id, title text, content_digest bytea, is_suppressed boolean: true, importer: null), by id.
-- Index: knowledge_suppressions_pkey, knowledge_pkey.
SELECT k.id, k.title, k.content_digest, true AS is_suppressed, NULL AS importer
FROM knowledge_suppressions AS s
JOIN knowledge AS k ON k.organization_id = s.organization_id AND k.id = s.knowledge_id
WHERE s.organization_id = %(organization_id)s AND k.source_id <> %(source_id)s
ORDER BY k.id;
