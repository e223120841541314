-- Undoes a suppression or a release of knowledge items: leaves only the reasons that hid an item before.
-- Copies of suppressed texts are held by bundle/hold_copies.
-- Parameters: organization_id uuid, user_id uuid: the member who decides; ids text[]; reasons jsonb: by
--   id, the reasons of the item, each with its detail and offset.
-- Rows: none.
-- Index: knowledge_suppressions_pkey, knowledge_releases_pkey, knowledge_pkey.
WITH wanted AS MATERIALIZED (
    SELECT w.id, r.reason, r.place ->> 0 AS detail, (r.place ->> 1)::integer AS detail_offset
    FROM jsonb_each(%(reasons)s::jsonb) AS w (id, reasons)
    CROSS JOIN LATERAL jsonb_each(w.reasons) AS r (reason, place)
),
ended AS (
    DELETE FROM knowledge_suppressions AS s
    WHERE s.organization_id = %(organization_id)s
        AND s.knowledge_id = ANY(%(ids)s::text[])
        AND NOT EXISTS (SELECT FROM wanted AS w WHERE w.id = s.knowledge_id AND w.reason = s.reason)
),
unreleased AS (
    DELETE FROM knowledge_releases AS r
    USING knowledge AS k
    WHERE r.organization_id = %(organization_id)s
        AND k.organization_id = %(organization_id)s
        AND k.id = r.knowledge_id
        AND k.id IN (SELECT id FROM wanted)
        AND r.version = text_version(k.title, k.content_digest)
)
INSERT INTO knowledge_suppressions (
    organization_id, knowledge_id, reason, suppressed_by, first_digest, last_digest, detail, detail_offset
)
SELECT
    %(organization_id)s, w.id, w.reason, CASE WHEN w.reason = 'suppressed' THEN %(user_id)s::uuid END,
    CASE WHEN w.reason = 'suppressed' THEN k.text_digest END,
    CASE WHEN w.reason = 'suppressed' THEN k.text_digest END, w.detail, w.detail_offset
FROM wanted AS w
LEFT JOIN knowledge AS k ON k.organization_id = %(organization_id)s AND k.id = w.id
WHERE w.reason = 'suppressed' OR k.id IS NOT NULL
ON CONFLICT DO NOTHING;
