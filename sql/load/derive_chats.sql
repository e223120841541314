-- Updates the counters of the touched chats.
-- Parameters: none.
-- Rows: none.
UPDATE telegram_chats AS c
SET
    tracked_message_count = c.tracked_message_count + coalesce(
        (
            SELECT sum(n.change) FROM message_counts AS n
            WHERE n.organization_id = c.organization_id AND n.chat_id = c.id
        ), 0
    ),
    last_message_at = (
        SELECT m.sent_at FROM telegram_messages AS m
        WHERE m.organization_id = c.organization_id AND m.chat_id = c.id
        ORDER BY m.id DESC
        LIMIT 1
    )
FROM touched_chats AS t
WHERE c.organization_id = t.organization_id AND c.id = t.chat_id;
