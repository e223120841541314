-- Gives the search tokens of knowledge items the key of their source, or of no source, which no search
-- of the service looks up, while they are hidden.
-- Parameters: organization_id uuid, ids text[].
-- Index: knowledge_pkey, knowledge_suppressions_pkey, knowledge_search_pkey.
UPDATE knowledge_search AS f
SET
    source_id = k.source_key,
    tokens = rekeyed_tokens(search_key(f.organization_id, k.source_key), f.tokens)
FROM (
    SELECT
        i.id,
        CASE WHEN EXISTS (
            SELECT FROM knowledge_suppressions AS s
            WHERE s.organization_id = %(organization_id)s AND s.knowledge_id = i.id
        ) THEN '' ELSE i.source_id END AS source_key
    FROM knowledge AS i
    WHERE i.organization_id = %(organization_id)s AND i.id = ANY(%(ids)s::text[])
) AS k
WHERE f.organization_id = %(organization_id)s
    AND f.knowledge_id = k.id
    AND f.source_id <> k.source_key;
