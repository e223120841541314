-- Reads what is stored about the places of some documents and notes.
-- Parameters: organization_id uuid, source_ids text[], knowledge_ids text[].
-- Rows: (id text, source_label text, source_href text or null).
-- Index: knowledge_pkey.
SELECT k.id, k.source_label, k.source_href
FROM knowledge AS k
WHERE k.organization_id = %(organization_id)s
    AND k.id = ANY(%(knowledge_ids)s::text[])
    AND k.source_id = ANY(%(source_ids)s::text[]);
