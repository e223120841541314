-- Copies the suppressions of knowledge items to the items that replace them, with who suppressed
-- them and when, and changes their search tokens as decisions/suppress_knowledge does.
-- Parameters: organization_id uuid; ids, new_ids text[]: arrays of equal length, the replaced items
--   and their replacements.
-- Rows: (id, new_id text), one for each copied suppression. A replacement that is already
--   suppressed keeps its own.
-- Index: knowledge_suppressions_pkey, knowledge_search_pkey.
WITH carried AS (
    SELECT DISTINCT ON (r.new_id) r.id, r.new_id, s.suppressed_by, s.suppressed_at
    FROM unnest(%(ids)s::text[], %(new_ids)s::text[]) AS r (id, new_id)
    JOIN knowledge_suppressions AS s
        ON s.organization_id = %(organization_id)s AND s.knowledge_id = r.id
    ORDER BY r.new_id, s.suppressed_at
),
added AS (
    INSERT INTO knowledge_suppressions (
        organization_id, knowledge_id, suppressed_by, suppressed_at
    )
    SELECT %(organization_id)s, new_id, suppressed_by, suppressed_at FROM carried
    ON CONFLICT DO NOTHING
    RETURNING knowledge_id
),
filed AS (
    UPDATE knowledge_search AS f
    SET source_id = '', tokens = rekeyed_tokens(search_key(f.organization_id, ''), f.tokens)
    FROM carried AS c
    WHERE f.organization_id = %(organization_id)s AND f.knowledge_id = c.new_id AND f.source_id <> ''
)
SELECT c.id, c.new_id
FROM carried AS c
JOIN added AS a ON a.knowledge_id = c.new_id
ORDER BY c.new_id;
