-- Copies the sources and content digests of stored knowledge items that the stream replaces to
-- stored_contents, and counts in source_changes the hidden ones that it deletes. Runs before the merge,
-- which needs the copies to see which items are new in their source, and which contents changed.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
-- Index: knowledge_pkey, knowledge_suppressions_pkey.
WITH stored AS MATERIALIZED (
    SELECT
        k.organization_id, k.id, k.source_id, k.content_digest, l.deleted, r.id IS NULL AS is_hidden
    FROM knowledge AS k
    LEFT JOIN readable_knowledge AS r
        ON r.organization_id = ANY(%(organization_ids)s)
        AND r.organization_id = k.organization_id AND r.id = k.id
    JOIN (
        SELECT organization_id, id, bool_and(deleted) AS deleted
        FROM staged_knowledge
        GROUP BY organization_id, id
    ) AS l ON l.organization_id = k.organization_id AND l.id = k.id
    WHERE k.organization_id = ANY(%(organization_ids)s)
),
hidden AS (
    INSERT INTO source_changes (organization_id, source_id, created, updated, deleted, hidden)
    SELECT organization_id, source_id, 0, 0, 0, count(*)
    FROM stored
    WHERE deleted AND is_hidden
    GROUP BY organization_id, source_id
)
INSERT INTO stored_contents (organization_id, id, source_id, content_digest)
SELECT organization_id, id, source_id, content_digest FROM stored WHERE NOT deleted;
