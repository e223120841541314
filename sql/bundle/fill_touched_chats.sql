-- Fills touched_chats and touched_senders with those of the staged records and of the stored records that
-- they replace, and touched_sources with the sources of the latter. Runs before the merge. If a chat
-- moves to another source, also deletes the people of its old source.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
-- Rows: none.
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
    INSERT INTO touched_sources (organization_id, source_id)
    SELECT t.organization_id, t.source_id
    FROM telegram_chats AS t
    JOIN chats AS l ON l.organization_id = t.organization_id AND l.chat_id = t.id
    WHERE t.organization_id = ANY(%(organization_ids)s)
    ON CONFLICT DO NOTHING
),
moved AS (
    SELECT t.organization_id, t.id, t.source_id
    FROM telegram_chats AS t
    JOIN staged_telegram_chats AS l USING (organization_id, id)
    WHERE t.organization_id = ANY(%(organization_ids)s) AND t.source_id <> l.source_id
),
people_of_moved AS (
    DELETE FROM people AS p
    USING moved AS m
    WHERE p.organization_id = ANY(%(organization_ids)s)
        AND p.organization_id = m.organization_id
        AND p.source_id = m.source_id
)
INSERT INTO touched_senders (organization_id, chat_id, sender_id)
SELECT organization_id, chat_id, sender_id FROM staged_telegram_messages WHERE sender_id IS NOT NULL
UNION
SELECT t.organization_id, t.chat_id, t.sender_id
FROM telegram_messages AS t
JOIN staged_telegram_messages AS l USING (organization_id, chat_id, id)
WHERE t.organization_id = ANY(%(organization_ids)s) AND t.sender_id IS NOT NULL
UNION
SELECT t.organization_id, t.chat_id, t.sender_id
FROM telegram_messages AS t
JOIN moved AS m ON m.organization_id = t.organization_id AND m.id = t.chat_id
WHERE t.organization_id = ANY(%(organization_ids)s) AND t.sender_id IS NOT NULL
ON CONFLICT DO NOTHING;
