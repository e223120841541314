-- Finds the newest messages of one sender in one chat with ids less than `before` whose text or
-- file name contains a term. Examines only the newest 10,000 messages of the chat, which bounds the
-- candidates of any term.
-- Parameters: as list_telegram_messages; q text; sender_id text.
-- Rows: as list_telegram_messages.
-- Index: telegram_chats_pkey; telegram_search_tokens, telegram_messages_by_sender; then, for a sender of
--   many messages, telegram_messages_pkey for each candidate.
WITH {term},
{chat},
candidates AS MATERIALIZED (
    SELECT f.id FROM telegram_search AS f
    WHERE f.organization_id = %(organization_id)s
        AND f.chat_id = (SELECT id FROM chat)
        AND {has_tokens}
        AND {contains}
),
of_sender AS MATERIALIZED (
    SELECT m.id FROM telegram_messages AS m
    WHERE m.organization_id = %(organization_id)s
        AND m.chat_id = (SELECT id FROM chat)
        AND m.sender_id = %(sender_id)s
    LIMIT 1001
),
found AS (
    SELECT c.id
    -- The order lets LIMIT stop as soon as enough candidates are of the sender.
    FROM (SELECT id FROM candidates WHERE id < %(before)s::bigint ORDER BY id DESC OFFSET 0) AS c
    -- The messages of most senders are few, and their ids are compared faster than a message is read.
    WHERE CASE
        WHEN (SELECT count(*) FROM of_sender) <= 1000 THEN c.id IN (SELECT id FROM of_sender)
        ELSE (
            SELECT m.sender_id = %(sender_id)s
            FROM telegram_messages AS m
            WHERE m.organization_id = %(organization_id)s
                AND m.chat_id = (SELECT id FROM chat)
                AND m.id = c.id
        )
    END
    LIMIT %(row_limit)s
)
{message_of_chat}
{of_found}
