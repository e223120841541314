-- Ids of the knowledge items behind one source.
-- Parameters: organization_id uuid, source_id text.
-- Rows: (id text), by id.
-- Index: knowledge_by_source.
SELECT id
FROM knowledge
WHERE organization_id = %(organization_id)s AND source_id = %(source_id)s
ORDER BY id;
