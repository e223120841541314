-- Holds the knowledge items that have a text of a suppressed one, unless a member has released this text
-- since. Ends the holds of those that have none any more.
-- Parameters: organization_ids uuid[].
-- Rows: (organization_id uuid, id text, source_id text, reason text, is_held boolean: whether a hold
--   began, and not ended), unordered.
-- Index: knowledge_suppressions_pkey, knowledge_by_text, knowledge_pkey, knowledge_releases_pkey.
WITH copies AS MATERIALIZED (
    SELECT k.organization_id, k.id, k.source_id, min(s.knowledge_id) AS suppressed_id
    FROM knowledge_suppressions AS s
    JOIN knowledge AS k
        ON k.organization_id = ANY(%(organization_ids)s)
        AND k.organization_id = s.organization_id
        AND k.text_digest IN (s.first_digest, s.last_digest)
        AND k.id <> s.knowledge_id
    WHERE s.organization_id = ANY(%(organization_ids)s)
        AND s.reason = 'suppressed'
        AND NOT EXISTS (
            SELECT FROM knowledge_releases AS r
            WHERE r.organization_id = ANY(%(organization_ids)s)
                AND r.organization_id = k.organization_id
                AND r.knowledge_id = k.id
                AND r.version = text_version(k.title, k.content_digest)
                AND r.released_at > s.suppressed_at
        )
    GROUP BY k.organization_id, k.id, k.source_id
),
ended AS (
    DELETE FROM knowledge_suppressions AS s
    WHERE s.organization_id = ANY(%(organization_ids)s)
        AND s.reason = 'same text'
        AND NOT EXISTS (
            SELECT FROM copies AS c
            WHERE c.organization_id = s.organization_id AND c.id = s.knowledge_id
        )
    RETURNING s.organization_id, s.knowledge_id
),
begun AS (
    INSERT INTO knowledge_suppressions (organization_id, knowledge_id, reason, detail)
    SELECT organization_id, id, 'same text', suppressed_id FROM copies
    ON CONFLICT DO NOTHING
    RETURNING organization_id, knowledge_id
)
SELECT c.organization_id, c.id, c.source_id, 'same text' AS reason, true AS is_held
FROM copies AS c
JOIN begun AS b ON b.organization_id = c.organization_id AND b.knowledge_id = c.id
UNION ALL
SELECT k.organization_id, k.id, k.source_id, 'same text', false
FROM ended AS e
JOIN knowledge AS k
    ON k.organization_id = ANY(%(organization_ids)s)
    AND k.organization_id = e.organization_id AND k.id = e.knowledge_id;
