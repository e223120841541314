-- Copies the sources and content digests of stored knowledge items that the stream replaces, and the text
-- digests of those that wait because they are new, to stored_contents. Runs before the merge, which needs
-- the copies to see which items are new in their source, which contents changed, and which texts wait.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
-- Index: knowledge_pkey, knowledge_suppressions_pkey.
WITH waiting AS MATERIALIZED (
    SELECT organization_id, knowledge_id AS id
    FROM knowledge_suppressions
    WHERE organization_id = ANY(%(organization_ids)s) AND reason = 'new'
)
INSERT INTO stored_contents (organization_id, id, source_id, content_digest, waiting_digest)
SELECT
    k.organization_id, k.id, k.source_id, k.content_digest, CASE WHEN l.waits THEN k.text_digest END
FROM knowledge AS k
JOIN (
    SELECT organization_id, id, bool_or(waits) AS waits
    FROM (
        SELECT organization_id, id, false AS waits FROM staged_knowledge
        UNION ALL
        SELECT organization_id, id, true FROM waiting
    ) AS items
    GROUP BY organization_id, id
) AS l ON l.organization_id = k.organization_id AND l.id = k.id
WHERE k.organization_id = ANY(%(organization_ids)s);
