-- Copies the sources and content digests of stored knowledge items that the stream replaces, and the text
-- digests of those that wait because they are new, to stored_contents. Runs before the merge, which needs
-- the copies to see which items are new in their source, which contents changed, and which texts wait.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
-- Index: knowledge_pkey, knowledge_suppressions_pkey.
INSERT INTO stored_contents (organization_id, id, source_id, content_digest, waiting_digest)
SELECT
    k.organization_id, k.id, k.source_id, k.content_digest,
    CASE WHEN s.reason IS NOT NULL THEN k.text_digest END
FROM (SELECT DISTINCT organization_id, id FROM staged_knowledge) AS l
JOIN knowledge AS k ON k.organization_id = l.organization_id AND k.id = l.id
LEFT JOIN knowledge_suppressions AS s
    ON s.organization_id = ANY(%(organization_ids)s)
    AND s.organization_id = k.organization_id AND s.knowledge_id = k.id AND s.reason = 'new'
WHERE k.organization_id = ANY(%(organization_ids)s);
