-- Lists the messages of one chat, with the columns that tell an import which version of a message is
-- newer.
-- Parameters: organization_id uuid, chat_id uuid.
-- Rows: (id integer, sent and edited bigint: seconds of the Unix epoch, edited is 0 if the message
--   was never edited, sender bigint: a number for each sender of the chat), by id.
-- Index: telegram_messages_pkey.
SELECT
    id,
    floor(extract(epoch FROM sent_at))::bigint AS sent,
    coalesce(floor(extract(epoch FROM edited_at)), 0)::bigint AS edited,
    dense_rank() OVER (ORDER BY coalesce(sender_id, '')) AS sender
FROM telegram_messages
WHERE organization_id = %(organization_id)s AND chat_id = %(chat_id)s
ORDER BY id;
