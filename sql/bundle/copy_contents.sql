-- Copies the sources and content digests of stored knowledge items that the stream replaces to
-- stored_contents, and counts in source_changes the hidden ones that it deletes. Runs before the merge,
-- which needs the copies to see which items are new in their source, and which contents changed.
-- Index: knowledge_pkey, knowledge_suppressions_pkey.
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
hidden AS (
    INSERT INTO source_changes (organization_id, source_id, created, updated, deleted, hidden)
    SELECT s.organization_id, s.source_id, 0, 0, 0, count(*)
    FROM stored AS s
    WHERE s.deleted AND NOT EXISTS (
        SELECT FROM readable_knowledge AS r
        WHERE r.organization_id = ANY(%(organization_ids)s)
            AND r.organization_id = s.organization_id AND r.id = s.id
    )
    GROUP BY s.organization_id, s.source_id
)
INSERT INTO stored_contents (organization_id, id, source_id, content_digest)
SELECT organization_id, id, source_id, content_digest FROM stored WHERE NOT deleted;
