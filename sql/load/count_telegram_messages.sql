-- Counts the messages that go with a record that is deleted.
-- Parameters: organization_id uuid; type text: of the record, organization, source or telegram.chat; id text.
-- Rows: (count bigint).
-- Index: telegram_chats_one_of_a_source, telegram_messages_pkey.
SELECT count(*)
FROM telegram_chats AS c
JOIN telegram_messages AS m ON m.organization_id = c.organization_id AND m.chat_id = c.id
WHERE c.organization_id = %(organization_id)s
    AND CASE %(type)s::text
        WHEN 'organization' THEN true
        WHEN 'source' THEN c.source_id = %(id)s::text
        ELSE c.id::text = %(id)s::text
    END;
