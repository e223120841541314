-- Suppresses knowledge items. An item that is already suppressed keeps its member and time.
-- Parameters: organization_id uuid, ids text[], user_id uuid: the member who decides.
-- Rows: none.
-- Index: knowledge_pkey.
INSERT INTO knowledge_suppressions (
    organization_id, knowledge_id, reason, suppressed_by, first_digest, last_digest
)
SELECT %(organization_id)s, w.id, 'suppressed', %(user_id)s, k.text_digest, k.text_digest
FROM unnest(%(ids)s::text[]) AS w (id)
LEFT JOIN knowledge AS k ON k.organization_id = %(organization_id)s AND k.id = w.id
ON CONFLICT DO NOTHING;
