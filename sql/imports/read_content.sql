-- Reads the content of a knowledge item.
-- Parameters: organization_id uuid, id text.
-- Rows: (content text), empty if the item has none or is deleted.
-- Index: knowledge_chunks_pkey.
SELECT coalesce(string_agg(content, '' ORDER BY first_unit), '') AS content
FROM knowledge_chunks
WHERE organization_id = %(organization_id)s AND knowledge_id = %(id)s;
