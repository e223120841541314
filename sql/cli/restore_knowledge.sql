-- Ends the suppression of knowledge items.
-- Parameters: organization_id uuid, ids text[].
-- Rows: none.
-- Index: knowledge_suppressions_pkey.
DELETE FROM knowledge_suppressions
WHERE organization_id = %(organization_id)s AND knowledge_id = ANY(%(ids)s);
