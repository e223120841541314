-- Finds which of these knowledge items are stored or suppressed. An item may be suppressed without
-- being stored.
-- Parameters: organization_id uuid, ids text[].
-- Rows: (id text, source_id text, title text, updated_at timestamptz, is_suppressed boolean), by id.
-- If the item is not stored, source_id, title and updated_at are null.
-- Index: knowledge_pkey, knowledge_suppressions_pkey.
SELECT
    wanted.id, k.source_id, k.title, k.updated_at, s.knowledge_id IS NOT NULL AS is_suppressed
FROM unnest(%(ids)s::text[]) AS wanted (id)
LEFT JOIN knowledge AS k
    ON k.organization_id = %(organization_id)s AND k.id = wanted.id
LEFT JOIN knowledge_suppressions AS s
    ON s.organization_id = %(organization_id)s AND s.knowledge_id = wanted.id
WHERE k.id IS NOT NULL OR s.knowledge_id IS NOT NULL
ORDER BY wanted.id;
