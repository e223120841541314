-- Finds which of these knowledge items are stored or suppressed. An item may be suppressed without
-- being stored.
-- Parameters: organization_id uuid, ids text[].
-- Rows: (id text, source_id text, or null if the item is not stored, is_suppressed boolean), by id.
-- Index: knowledge_pkey, knowledge_suppressions_pkey.
SELECT wanted.id, k.source_id, s.knowledge_id IS NOT NULL AS is_suppressed
FROM unnest(%(ids)s::text[]) AS wanted (id)
LEFT JOIN knowledge AS k
    ON k.organization_id = %(organization_id)s AND k.id = wanted.id
LEFT JOIN knowledge_suppressions AS s
    ON s.organization_id = %(organization_id)s AND s.knowledge_id = wanted.id
WHERE k.id IS NOT NULL OR s.knowledge_id IS NOT NULL
ORDER BY wanted.id;
