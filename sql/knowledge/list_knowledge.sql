-- Lists one page of the knowledge library, newest first, and counts the items.
-- Parameters: organization_id uuid, source_ids text[], q text or null, kind and visibility text
--   ('all' for any), archived boolean, page_size and page_offset bigint.
-- Rows: total bigint, then the columns of KnowledgeSummary. If the page is empty, one row whose
--   columns of KnowledgeSummary are null.
-- Index: knowledge_by_time; also knowledge_titles and knowledge_chunks_search if q is not null.
-- Compares texts as bytes, because that takes equally long for every term (docs/decisions/0008).
WITH term AS MATERIALIZED (
    SELECT
        fold_text(%(q)s::text) AS text, convert_to(fold_text(%(q)s::text), 'UTF8') AS bytes,
        term_search_tokens(fold_text(%(q)s::text)) AS tokens
),
found AS MATERIALIZED (
    SELECT t.id FROM knowledge AS t
    WHERE t.organization_id = %(organization_id)s
        AND text_search_tokens(t.title_lower) @@ (SELECT tokens FROM term)
        AND position((SELECT bytes FROM term) IN convert_to(t.title_lower, 'UTF8')) > 0
    UNION
    SELECT c.knowledge_id FROM knowledge_chunks AS c
    WHERE c.organization_id = %(organization_id)s
        AND c.search_tokens @@ (SELECT tokens FROM term)
        -- If the term has up to three characters, matching tokens prove that the text contains it.
        AND (
            length((SELECT text FROM term)) <= 3
            OR position((SELECT bytes FROM term) IN convert_to(c.search_text, 'UTF8')) > 0
        )
),
matching AS NOT MATERIALIZED (
    SELECT k.id, k.updated_at
    FROM knowledge AS k
    WHERE k.organization_id = %(organization_id)s
        AND k.source_id = ANY(%(source_ids)s::text[])
        AND k.archived = %(archived)s
        AND (%(kind)s::text = 'all' OR k.kind = %(kind)s)
        AND (%(visibility)s::text = 'all' OR k.visibility = %(visibility)s)
        AND NOT EXISTS (
            SELECT FROM knowledge_suppressions AS s
            WHERE s.organization_id = k.organization_id AND s.knowledge_id = k.id
        )
        AND (%(q)s::text IS NULL OR k.id IN (SELECT id FROM found))
)
SELECT
    list.total, k.id, k.title, k.kind, k.source, k.preview, k.visibility, k.archived,
    k.source_status, k.source_label, k.source_href, k.created_at, k.updated_at
FROM (SELECT count(*) AS total FROM matching) AS list
LEFT JOIN (
    SELECT id FROM matching
    ORDER BY updated_at DESC, id
    LIMIT %(page_size)s OFFSET %(page_offset)s
) AS page ON true
LEFT JOIN LATERAL (
    SELECT * FROM knowledge AS k
    WHERE k.organization_id = %(organization_id)s AND k.id = page.id
    LIMIT 1
) AS k ON true
ORDER BY k.updated_at DESC, k.id;
