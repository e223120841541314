-- Lists one page of the knowledge items whose title or content contains a term, newest first, and
-- counts them.
-- Parameters: as list_knowledge; q text.
-- Rows: as list_knowledge.
-- Index: knowledge_search_tokens, then knowledge_pkey and knowledge_chunks_pkey for what it finds.
WITH term AS MATERIALIZED (
    SELECT
        q.text, convert_to(q.text, 'UTF8') AS bytes,
        keyed_term_tokens(%(organization_id)s, %(source_ids)s::text[], q.text) AS tokens
    FROM (SELECT fold_text(%(q)s::text) AS text OFFSET 0) AS q
),
found AS (
    SELECT f.knowledge_id AS id FROM knowledge_search AS f
    WHERE f.organization_id::text = %(organization_id)s::text
        AND indexed_tokens(f.tokens) @@ ANY((SELECT tokens FROM term)::tsquery[])
        -- If the term has up to three characters, matching tokens prove that the text contains it.
        AND (length((SELECT text FROM term)) <= 3 OR position((SELECT bytes FROM term) IN convert_to(
            CASE WHEN f.first_unit = -1 THEN (
                SELECT t.title_lower FROM knowledge AS t
                WHERE t.organization_id = %(organization_id)s AND t.id = f.knowledge_id
            ) ELSE (
                SELECT c.search_text FROM knowledge_chunks AS c
                WHERE c.organization_id = %(organization_id)s
                    AND c.knowledge_id = f.knowledge_id
                    AND c.first_unit = f.first_unit
            ) END, 'UTF8'
        )) > 0)
),
matching AS MATERIALIZED (
    SELECT k.id, k.updated_at
    FROM (
        SELECT * FROM readable_knowledge AS k
        WHERE k.organization_id = %(organization_id)s AND k.id = ANY(ARRAY(SELECT id FROM found))
        OFFSET 0
    ) AS k
    WHERE {is_listed}
)
{page_of_matching}
