-- Counts the rows of one table that are deleted together with a chat, a source or an organization.
-- {table} is the table of a record type.
-- Parameters: organization_id uuid; type text: organization, source or telegram.chat; id text: the id
--   of the deleted organization, source or chat.
-- Rows: (count bigint).
-- Index: telegram_chats_one_of_a_source, and the table's index by organization_id and chat_id.
SELECT count(*)
FROM telegram_chats AS c
JOIN {table} AS m ON m.organization_id = c.organization_id AND m.chat_id = c.id
WHERE c.organization_id = %(organization_id)s
    AND CASE %(type)s::text
        WHEN 'organization' THEN true
        WHEN 'source' THEN c.source_id = %(id)s::text
        ELSE c.id::text = %(id)s::text
    END;
