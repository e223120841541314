-- One page of the knowledge library, newest first, and how many items there are.
-- Parameters: organization_id uuid, source_ids text[], pattern text or null (LIKE),
--   kind and visibility text ('all' for any), archived boolean, page_size, page_offset.
-- Rows: total, then the columns of KnowledgeSummary; null columns where the page is empty.
-- Index: knowledge_by_time; with a pattern knowledge_titles and knowledge_chunks_search.
WITH matching AS NOT MATERIALIZED (
    SELECT k.*
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
        AND (%(pattern)s::text IS NULL OR k.id IN (
            SELECT t.id FROM knowledge AS t
            WHERE t.organization_id = %(organization_id)s AND t.title_lower LIKE lower(%(pattern)s)
            UNION ALL
            SELECT c.knowledge_id FROM knowledge_chunks AS c
            WHERE c.organization_id = %(organization_id)s AND c.search_text LIKE lower(%(pattern)s)
        ))
)
SELECT
    list.total, k.id, k.title, k.kind, k.source, k.preview, k.visibility, k.archived,
    k.source_status, k.source_label, k.source_href, k.created_at, k.updated_at
FROM (SELECT count(*) AS total FROM matching) AS list
LEFT JOIN (
    SELECT * FROM matching
    ORDER BY updated_at DESC, id
    LIMIT %(page_size)s OFFSET %(page_offset)s
) AS k ON true
ORDER BY k.updated_at DESC, k.id;
