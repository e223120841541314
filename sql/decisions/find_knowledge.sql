-- Finds which of these knowledge items are stored or suppressed. An item may be suppressed without
-- being stored.
-- Parameters: organization_id uuid, ids text[].
-- Rows: (id text, source_id text, title text, updated_at timestamptz, reasons jsonb: why it is hidden,
-- each with its detail and offset), by id. If the item is not stored, source_id, title and updated_at are
-- null.
-- Index: knowledge_pkey, knowledge_suppressions_pkey.
SELECT
    wanted.id, k.source_id, k.title, k.updated_at,
    (
        SELECT coalesce(
            jsonb_object_agg(s.reason, jsonb_build_array(s.detail, s.detail_offset)), '{}'
        )
        FROM knowledge_suppressions AS s
        WHERE s.organization_id = %(organization_id)s AND s.knowledge_id = wanted.id
    ) AS reasons
FROM unnest(%(ids)s::text[]) AS wanted (id)
LEFT JOIN knowledge AS k
    ON k.organization_id = %(organization_id)s AND k.id = wanted.id
WHERE k.id IS NOT NULL OR EXISTS (
    SELECT FROM knowledge_suppressions AS s
    WHERE s.organization_id = %(organization_id)s AND s.knowledge_id = wanted.id
)
ORDER BY wanted.id;
