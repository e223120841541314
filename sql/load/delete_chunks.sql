-- Deletes the chunks of the knowledge items in changed_knowledge. The load then stores new ones.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
-- Rows: none.
DELETE FROM knowledge_chunks AS c
USING changed_knowledge AS k
WHERE c.organization_id = ANY(%(organization_ids)s)
    AND c.organization_id = k.organization_id
    AND c.knowledge_id = k.id;
