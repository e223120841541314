-- Suppresses knowledge items, and gives their search tokens the key of suppressed items, which no search
-- of the service looks up. An item that is already suppressed keeps its member and time.
-- Parameters: organization_id uuid, ids text[], user_id uuid: the member who decides.
-- Rows: none.
-- Index: knowledge_search_pkey.
WITH suppressed AS (
    INSERT INTO knowledge_suppressions (organization_id, knowledge_id, suppressed_by)
    SELECT %(organization_id)s, id, %(user_id)s
    FROM unnest(%(ids)s::text[]) AS id
    ON CONFLICT DO NOTHING
)
UPDATE knowledge_search AS f
SET source_id = '', tokens = rekeyed_tokens(search_key(f.organization_id, ''), f.tokens)
WHERE f.organization_id = %(organization_id)s
    AND f.knowledge_id = ANY(%(ids)s::text[])
    AND f.source_id <> '';
