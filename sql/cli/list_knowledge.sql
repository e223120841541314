-- Lists knowledge items of one organization, including archived and suppressed ones and those whose
-- source is not approved.
-- Parameters: organization_id uuid, source_id text or null, q text or null: text in the title or the
-- content, only_suppressed boolean, row_limit and row_offset bigint.
-- Rows: (id text, title text, source_id text, visibility text, is_archived boolean, is_suppressed
-- boolean, updated_at timestamptz), newest first. If a suppressed item is not stored, all
-- columns but id and is_suppressed are null.
-- Index: knowledge_by_time, knowledge_suppressions_pkey; also knowledge_titles and
-- knowledge_chunks_search if q is not null.
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
)
SELECT
    coalesce(k.id, s.knowledge_id) AS id, k.title, k.source_id, k.visibility,
    k.archived AS is_archived, s.knowledge_id IS NOT NULL AS is_suppressed, k.updated_at
FROM (SELECT * FROM knowledge WHERE organization_id = %(organization_id)s) AS k
FULL JOIN (
    SELECT * FROM knowledge_suppressions WHERE organization_id = %(organization_id)s
) AS s ON s.knowledge_id = k.id
WHERE (%(source_id)s::text IS NULL OR k.source_id = %(source_id)s)
    AND (%(q)s::text IS NULL OR k.id IN (SELECT id FROM found))
    AND (s.knowledge_id IS NOT NULL OR NOT %(only_suppressed)s)
ORDER BY k.updated_at DESC NULLS LAST, coalesce(k.id, s.knowledge_id)
LIMIT %(row_limit)s OFFSET %(row_offset)s;
