-- Counts the stored messages of one sender in the chat of a source.
-- Parameters: organization_id uuid, source_ids text[], sender_id text.
-- Rows: (message_count bigint); no row if there is none.
-- Index: people_pkey.
SELECT p.activity_count AS message_count
FROM people AS p
WHERE p.organization_id = %(organization_id)s
    AND p.source_id = ANY(%(source_ids)s::text[])
    AND p.platform = 'telegram'
    AND p.person_id = %(sender_id)s;
