-- The chunks of the changed knowledge items in the form that searches read. The database folds
-- their case, so that it is folded as in searches.
-- Parameters: none.
-- Rows: (sequence bigint, first_unit integer, search_text text).
SELECT s.sequence, s.first_unit, lower(s.content || s.overlap) AS search_text
FROM (
    SELECT max(s.sequence) AS sequence
    FROM changed_knowledge AS k
    JOIN staged_knowledge AS s ON s.organization_id = k.organization_id AND s.id = k.id
    GROUP BY k.organization_id, k.id
) AS latest
JOIN staged_chunks AS s ON s.sequence = latest.sequence;
