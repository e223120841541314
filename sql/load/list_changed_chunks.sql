-- Lists the chunks of the knowledge items whose content changed, and their texts in lower case. The
-- database folds the case, as it does in searches.
-- Parameters: none.
-- Rows: (organization_id uuid, id text, first_unit, unit_count integer, content, overlap,
--   search_text text), in the order of the stream.
SELECT
    latest.organization_id, latest.id, s.first_unit, s.unit_count, s.content, s.overlap,
    lower(s.content || s.overlap) AS search_text
FROM (
    SELECT s.organization_id, s.id, max(s.sequence) AS sequence
    FROM changed_knowledge AS k
    JOIN staged_knowledge AS s ON s.organization_id = k.organization_id AND s.id = k.id
    GROUP BY s.organization_id, s.id
) AS latest
JOIN staged_chunks AS s ON s.sequence = latest.sequence;
