-- Lists the messages of one chat.
-- Parameters: organization_id uuid, chat_id uuid.
-- Rows: (id integer), by id.
-- Index: telegram_messages_pkey.
SELECT id
FROM telegram_messages
WHERE organization_id = %(organization_id)s AND chat_id = %(chat_id)s
ORDER BY id;
