-- Deletes the chunks of the changed knowledge items; load/insert_chunks stores new ones.
-- Parameters: none.
-- Rows: none.
DELETE FROM knowledge_chunks AS c
USING changed_knowledge AS k
WHERE c.organization_id = k.organization_id AND c.knowledge_id = k.id;
