-- Suppresses knowledge items. An item that is already suppressed keeps its member and time.
-- Parameters: organization_id uuid, ids text[], user_id uuid: the member who decides.
-- Rows: none.
INSERT INTO knowledge_suppressions (organization_id, knowledge_id, suppressed_by)
SELECT %(organization_id)s, id, %(user_id)s
FROM unnest(%(ids)s::text[]) AS id
ON CONFLICT DO NOTHING;
