-- Gives the changed knowledge items the chunks that were staged with them.
-- Parameters: none.
-- Rows: none.
WITH old AS (
    DELETE FROM knowledge_chunks AS c
    USING changed_knowledge AS k
    WHERE c.organization_id = k.organization_id AND c.knowledge_id = k.id
),
latest AS (
    SELECT k.organization_id, k.id, max(s.sequence) AS sequence
    FROM changed_knowledge AS k
    JOIN staged_knowledge AS s ON s.organization_id = k.organization_id AND s.id = k.id
    GROUP BY k.organization_id, k.id
)
INSERT INTO knowledge_chunks AS c (
    organization_id, knowledge_id, first_unit, unit_count, content, overlap
)
SELECT l.organization_id, l.id, s.first_unit, s.unit_count, s.content, s.overlap
FROM latest AS l
JOIN staged_chunks AS s ON s.sequence = l.sequence
ON CONFLICT (organization_id, knowledge_id, first_unit) DO UPDATE SET
    unit_count = excluded.unit_count, content = excluded.content, overlap = excluded.overlap;
