-- Updates tracked_message_count and last_message_at of the chats in touched_chats.
-- Parameters: organization_ids uuid[]: some or all organizations of the stream.
-- Rows: none.
WITH changes AS MATERIALIZED (
    SELECT t.organization_id, t.chat_id, coalesce(sum(n.change), 0) AS change
    FROM touched_chats AS t
    LEFT JOIN message_counts AS n
        ON n.organization_id = t.organization_id AND n.chat_id = t.chat_id
    WHERE t.organization_id = ANY(%(organization_ids)s)
    GROUP BY t.organization_id, t.chat_id
)
UPDATE telegram_chats AS c
SET
    tracked_message_count = c.tracked_message_count + t.change,
    last_message_at = (
        SELECT m.sent_at FROM telegram_messages AS m
        WHERE m.organization_id = ANY(%(organization_ids)s)
            AND m.organization_id = c.organization_id
            AND m.chat_id = c.id
        ORDER BY m.id DESC
        LIMIT 1
    )
FROM changes AS t
WHERE c.organization_id = ANY(%(organization_ids)s)
    AND c.organization_id = t.organization_id
    AND c.id = t.chat_id;
