-- Lists knowledge items of one organization, including archived and suppressed ones and those whose
-- source is not approved.
-- Parameters: organization_id uuid, source_id text or null, term text or null: text in the title,
-- only_suppressed boolean, row_limit bigint.
-- Rows: (id text, title text, source_id text, visibility text, is_archived boolean, is_suppressed
-- boolean, updated_at timestamptz), newest first. If a suppressed item is not stored, all
-- columns but id and is_suppressed are null.
-- Index: knowledge_by_time, knowledge_suppressions_pkey.
SELECT
    coalesce(k.id, s.knowledge_id) AS id, k.title, k.source_id, k.visibility,
    k.archived AS is_archived, s.knowledge_id IS NOT NULL AS is_suppressed, k.updated_at
FROM (SELECT * FROM knowledge WHERE organization_id = %(organization_id)s) AS k
FULL JOIN (
    SELECT * FROM knowledge_suppressions WHERE organization_id = %(organization_id)s
) AS s ON s.knowledge_id = k.id
WHERE (%(source_id)s::text IS NULL OR k.source_id = %(source_id)s)
    AND (%(term)s::text IS NULL OR strpos(k.title_lower, lower(%(term)s)) > 0)
    AND (s.knowledge_id IS NOT NULL OR NOT %(only_suppressed)s)
ORDER BY k.updated_at DESC NULLS LAST, coalesce(k.id, s.knowledge_id)
LIMIT %(row_limit)s;
