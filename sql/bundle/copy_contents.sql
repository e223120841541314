-- Copies the sources and content digests of stored knowledge items that the stream replaces to
-- stored_contents. Runs before the merge, which needs the copies to see which items are new in their
-- source, and which contents changed.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
-- Index: knowledge_pkey.
INSERT INTO stored_contents (organization_id, id, source_id, content_digest)
SELECT k.organization_id, k.id, k.source_id, k.content_digest
FROM knowledge AS k
JOIN (SELECT DISTINCT organization_id, id FROM staged_knowledge) AS l
    ON l.organization_id = k.organization_id AND l.id = k.id
WHERE k.organization_id = ANY(%(organization_ids)s);
