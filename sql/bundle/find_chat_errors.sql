-- Finds staged chats and messages that name a parent that is neither stored nor earlier in the stream,
-- or that conflict with stored ones.
-- Parameters: organization_ids uuid[]: all organizations of the stream; error_limit integer: the most
--   rows to return.
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
    WHERE NOT r.deleted AND c.source_id <> r.source_id
    UNION ALL
    -- Otherwise a load would show stored messages to keys that may not read them.
    SELECT r.sequence, 4,
        format('sourceId cannot change to an approved source: this chat is stored in %%s',
            c.source_id)
    FROM staged_telegram_chats AS r
    JOIN telegram_chats AS c
        ON c.organization_id = ANY(%(organization_ids)s)
        AND c.organization_id = r.organization_id AND c.id = r.id AND c.source_id <> r.source_id
    JOIN sources AS s
        ON s.organization_id = ANY(%(organization_ids)s)
        AND s.organization_id = r.organization_id AND s.id = r.source_id
    WHERE s.included AND s.external
)
SELECT sequence, (array_agg(errors.error ORDER BY rank))[1] AS error
FROM errors
GROUP BY sequence
ORDER BY sequence
LIMIT %(error_limit)s;
