-- Lists the staged chunks of the knowledge items in changed_knowledge. PostgreSQL folds their text,
-- because it does so with search terms too.
-- Parameters: none.
-- Rows: (organization_id uuid, id text: the knowledge item, first_unit, unit_count integer,
--   content, overlap, search_text text: content and overlap, folded), unordered.
SELECT
    latest.organization_id, latest.id, s.first_unit, s.unit_count, s.content, s.overlap,
    fold_text(s.content || s.overlap) AS search_text
FROM (
    SELECT s.organization_id, s.id, max(s.sequence) AS sequence
    FROM changed_knowledge AS k
    JOIN staged_knowledge AS s ON s.organization_id = k.organization_id AND s.id = k.id
    GROUP BY s.organization_id, s.id
) AS latest
JOIN staged_chunks AS s ON s.sequence = latest.sequence;
