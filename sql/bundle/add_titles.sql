-- Stores the search tokens of the titles of the knowledge items in changed_knowledge, and their times.
-- Parameters: organization_ids uuid[]: some organizations of the stream.
-- Rows: none.
INSERT INTO knowledge_search (organization_id, knowledge_id, first_unit, source_id, updated_at, tokens)
SELECT
    k.organization_id, k.id, -1, f.source_id, CASE WHEN NOT k.archived THEN k.updated_at END,
    coalesce(keyed_text_tokens(k.organization_id, f.source_id, k.title_lower), '')
FROM (SELECT DISTINCT organization_id, id FROM changed_knowledge) AS c
JOIN knowledge AS k
    ON k.organization_id = ANY(%(organization_ids)s)
    AND k.organization_id = c.organization_id AND k.id = c.id
LEFT JOIN knowledge_suppressions AS s
    ON s.organization_id = ANY(%(organization_ids)s)
    AND s.organization_id = c.organization_id AND s.knowledge_id = c.id
CROSS JOIN LATERAL (
    -- Titles of suppressed items have the key of no source.
    SELECT CASE WHEN s.knowledge_id IS NULL THEN k.source_id ELSE '' END AS source_id
) AS f;
