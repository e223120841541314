-- Ends the suppression of knowledge items, and gives their search tokens the key of their source.
-- Parameters: organization_id uuid, ids text[].
-- Rows: none.
-- Index: knowledge_suppressions_pkey, knowledge_search_pkey.
WITH restored AS (
    DELETE FROM knowledge_suppressions
    WHERE organization_id = %(organization_id)s AND knowledge_id = ANY(%(ids)s)
)
UPDATE knowledge_search AS f
SET
    source_id = k.source_id,
    tokens = rekeyed_tokens(search_key(f.organization_id, k.source_id), f.tokens)
FROM knowledge AS k
WHERE f.organization_id = %(organization_id)s
    AND f.knowledge_id = ANY(%(ids)s::text[])
    AND f.source_id <> k.source_id
    AND k.organization_id = %(organization_id)s
    AND k.id = f.knowledge_id;
