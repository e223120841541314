-- Copies the sources and content digests of stored knowledge items that the stream replaces to stored_contents, and
-- the sources of those that it replaces or deletes to touched_sources. Runs before the merge, which
-- needs them to see which items are new in their source, and which contents changed.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
-- Rows: none.
-- Index: knowledge_pkey.
WITH stored AS MATERIALIZED (
    SELECT t.organization_id, t.id, t.source_id, t.content_digest, l.deleted
    FROM knowledge AS t
    JOIN (
        SELECT organization_id, id, bool_and(deleted) AS deleted
        FROM staged_knowledge
        GROUP BY organization_id, id
    ) AS l ON l.organization_id = t.organization_id AND l.id = t.id
    WHERE t.organization_id = ANY(%(organization_ids)s)
),
touched AS (
    INSERT INTO touched_sources (organization_id, source_id)
    SELECT DISTINCT organization_id, source_id FROM stored
    ON CONFLICT DO NOTHING
)
INSERT INTO stored_contents (organization_id, id, source_id, content_digest)
SELECT organization_id, id, source_id, content_digest FROM stored WHERE NOT deleted;
