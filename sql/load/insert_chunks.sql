-- Stores the chunks whose pieces were computed, in the order of their items.
-- Parameters: none.
-- Rows: none.
INSERT INTO knowledge_chunks (
    organization_id, knowledge_id, first_unit, unit_count, content, overlap, pieces
)
SELECT k.organization_id, k.id, s.first_unit, s.unit_count, s.content, s.overlap, p.pieces
FROM staged_pieces AS p
JOIN staged_chunks AS s ON s.sequence = p.sequence AND s.first_unit = p.first_unit
JOIN staged_knowledge AS k ON k.sequence = p.sequence;
