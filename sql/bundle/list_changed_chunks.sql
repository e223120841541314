-- Lists the staged chunks of the knowledge items in changed_knowledge whose content changed. PostgreSQL
-- folds them, because it does so with search terms too.
-- Parameters: organization_ids uuid[]: some organizations of the stream.
-- Rows: (organization_id uuid, id text: the knowledge item, first_unit integer, source_id text: empty if
--   the item is suppressed, key text: of the source, for the tokens, search_text text: the folded text,
--   unit_count integer, content, overlap text), unordered.
WITH items AS MATERIALIZED (
    SELECT k.organization_id, k.id, f.source_id, search_key(k.organization_id, f.source_id) AS key
    FROM (SELECT DISTINCT organization_id, id FROM changed_knowledge WHERE has_new_content) AS c
    JOIN knowledge AS k
        ON k.organization_id = ANY(%(organization_ids)s)
        AND k.organization_id = c.organization_id AND k.id = c.id
    LEFT JOIN knowledge_suppressions AS s
        ON s.organization_id = ANY(%(organization_ids)s)
        AND s.organization_id = c.organization_id AND s.knowledge_id = c.id
    CROSS JOIN LATERAL (
        SELECT CASE WHEN s.knowledge_id IS NULL THEN k.source_id ELSE '' END AS source_id
    ) AS f
)
SELECT
    l.organization_id, l.id, s.first_unit, l.source_id, l.key,
    fold_text(s.content || s.overlap) AS search_text, s.unit_count, s.content, s.overlap
FROM (
    SELECT i.organization_id, i.id, i.source_id, i.key, max(s.sequence) AS sequence
    FROM items AS i
    JOIN staged_knowledge AS s ON s.organization_id = i.organization_id AND s.id = i.id
    GROUP BY i.organization_id, i.id, i.source_id, i.key
) AS l
JOIN staged_chunks AS s ON s.sequence = l.sequence;
