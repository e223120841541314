-- What several statements of this folder contain: each value fills the slot of its name.

-- message:
m.id, m.sender_id AS "sender.id", m.sender_name AS "sender.name",
    m.sender_username AS "sender.username", m.kind, m.text, m.detail, m.file,
    m.reply_to_message_id, m.sent_at, m.edited_at

-- chat:
chat AS MATERIALIZED (
    SELECT c.id, c.source_id, c.tracked_message_count
    FROM telegram_chats AS c
    WHERE c.organization_id = %(organization_id)s
        AND c.id = %(chat_id)s
        AND c.source_id = ANY(%(source_ids)s::text[])
)

-- of_found:
FROM chat AS c
LEFT JOIN found AS f ON true
LEFT JOIN LATERAL (
    SELECT m.* FROM telegram_messages AS m
    WHERE m.organization_id = %(organization_id)s AND m.chat_id = c.id AND m.id = f.id
    OFFSET 0
) AS m ON true
ORDER BY m.id DESC;
