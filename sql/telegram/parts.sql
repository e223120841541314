-- What several statements of this folder contain: each value fills the slot of its name.

-- message:
m.id, m.sender_id AS "sender.id", m.sender_name AS "sender.name",
    m.sender_username AS "sender.username", m.kind, m.text, m.detail, m.file,
    m.reply_to_message_id, m.sent_at, m.edited_at
