-- name: find_chat_errors
-- Finds staged chats and messages that name a parent that is neither stored nor earlier in the stream,
-- or that conflict with stored ones.
-- Parameters: organization_ids uuid[]: all organizations of the stream; error_limit integer: the most rows.
-- Rows: (sequence bigint: the record, error text), the first errors in the order of the stream.
WITH known_chats AS MATERIALIZED (
    SELECT DISTINCT ON (organization_id, id)
        organization_id, id, source_id,
        min(sequence) OVER (PARTITION BY organization_id, id) AS first_sequence
    FROM (
        SELECT organization_id, id, source_id, 0 AS sequence FROM telegram_chats
        WHERE organization_id = ANY(%(organization_ids)s)
        UNION ALL SELECT organization_id, id, source_id, sequence FROM staged_telegram_chats
    ) AS every
    ORDER BY every.organization_id, every.id, every.sequence DESC
),
errors AS (
    SELECT r.sequence, 1 AS rank,
        format('sourceId names a source that already links the chat %%s', c.id) AS error
    FROM staged_telegram_chats AS r
    JOIN known_chats AS c
        ON c.organization_id = r.organization_id AND c.source_id = r.source_id AND c.id <> r.id
        AND c.first_sequence < r.sequence
    UNION ALL
    SELECT r.sequence, 2, 'data.chatId names no chat that is stored or comes earlier in the stream'
    FROM staged_telegram_messages AS r
    LEFT JOIN known_chats AS c
        ON c.organization_id = r.organization_id AND c.id = r.chat_id
        AND c.first_sequence < r.sequence
    WHERE NOT r.deleted AND c.id IS NULL
    UNION ALL
    SELECT r.sequence, 3, format('sourceId must be the source of the chat, %%s', c.source_id)
    FROM staged_telegram_messages AS r
    JOIN known_chats AS c ON c.organization_id = r.organization_id AND c.id = r.chat_id
    WHERE c.source_id <> r.source_id
)
{first_errors}

-- name: fill_touched_chats
-- Fills touched_chats and touched_senders with those of the staged records and of the stored records that
-- they replace, and source_changes with the sources of the latter. Runs before the merge.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
WITH chats AS MATERIALIZED (
    SELECT organization_id, chat_id FROM staged_telegram_messages
    UNION SELECT organization_id, id FROM staged_telegram_chats
),
chats_added AS (
    INSERT INTO touched_chats (organization_id, chat_id)
    SELECT organization_id, chat_id FROM chats
    ON CONFLICT DO NOTHING
),
sources_added AS (
    INSERT INTO source_changes (organization_id, source_id)
    SELECT t.organization_id, t.source_id
    FROM telegram_chats AS t
    JOIN chats AS l ON l.organization_id = t.organization_id AND l.chat_id = t.id
    WHERE t.organization_id = ANY(%(organization_ids)s)
)
INSERT INTO touched_senders (organization_id, chat_id, sender_id)
SELECT organization_id, chat_id, sender_id FROM staged_telegram_messages WHERE sender_id IS NOT NULL
UNION
SELECT t.organization_id, t.chat_id, t.sender_id
FROM telegram_messages AS t
JOIN staged_telegram_messages AS l USING (organization_id, chat_id, id)
WHERE t.organization_id = ANY(%(organization_ids)s) AND t.sender_id IS NOT NULL
ON CONFLICT DO NOTHING;

-- name: derive_chats
-- Updates tracked_message_count and last_message_at of the chats in touched_chats.
-- Parameters: organization_ids uuid[]: some or all organizations of the stream.
-- Index: telegram_messages_pkey.
WITH touched AS MATERIALIZED (
    SELECT organization_id, chat_id FROM touched_chats
    WHERE organization_id = ANY(%(organization_ids)s)
)
UPDATE telegram_chats AS c
SET
    tracked_message_count = (
        SELECT count(*) FROM telegram_messages AS m
        WHERE m.organization_id = ANY(%(organization_ids)s)
            AND m.organization_id = c.organization_id
            AND m.chat_id = c.id
    ),
    last_message_at = (
        SELECT m.sent_at FROM telegram_messages AS m
        WHERE m.organization_id = ANY(%(organization_ids)s)
            AND m.organization_id = c.organization_id
            AND m.chat_id = c.id
        ORDER BY m.id DESC
        LIMIT 1
    )
FROM touched AS t
WHERE c.organization_id = ANY(%(organization_ids)s)
    AND c.organization_id = t.organization_id
    AND c.id = t.chat_id;
