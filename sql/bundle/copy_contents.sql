-- Copies the sources and content digests of stored knowledge items that the stream replaces to
-- stored_contents. Runs before the merge, which needs them to see which items are new in their source,
-- and which contents changed.
-- Index: knowledge_pkey.
INSERT INTO stored_contents (organization_id, id, source_id, content_digest)
SELECT t.organization_id, t.id, t.source_id, t.content_digest
FROM knowledge AS t
JOIN (SELECT DISTINCT organization_id, id FROM staged_knowledge WHERE NOT deleted) AS l
    ON l.organization_id = t.organization_id AND l.id = t.id
WHERE t.organization_id = ANY(%(organization_ids)s);
