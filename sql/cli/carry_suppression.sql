-- Copies the suppression of an item, with its decider and time, to the item that replaces it.
-- Parameters: organization_id uuid, id, new_id text.
-- Rows: (knowledge_id text), one where the item was suppressed and the new one was not.
-- Index: knowledge_suppressions_pkey.
INSERT INTO knowledge_suppressions (
    organization_id, knowledge_id, suppressed_by, suppressed_at
)
SELECT organization_id, %(new_id)s, suppressed_by, suppressed_at
FROM knowledge_suppressions
WHERE organization_id = %(organization_id)s AND knowledge_id = %(id)s
ON CONFLICT DO NOTHING
RETURNING knowledge_id;
