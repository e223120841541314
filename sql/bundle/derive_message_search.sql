-- Updates telegram_search for the chats in touched_chats: it holds the newest 10,000 messages of each chat, which are
-- those that searches examine.
-- Parameters: organization_ids uuid[]: some or all organizations of the stream.
-- Index: telegram_messages_pkey, scanned backward, from the newest message.
WITH touched AS MATERIALIZED (
    SELECT organization_id, chat_id FROM touched_chats
    WHERE organization_id = ANY(%(organization_ids)s)
),
windows AS MATERIALIZED (
    SELECT t.organization_id, t.chat_id, coalesce(oldest.id, 1) AS oldest_id
    FROM touched AS t
    LEFT JOIN LATERAL (
        SELECT m.id FROM telegram_messages AS m
        WHERE m.organization_id = ANY(%(organization_ids)s)
            AND m.organization_id = t.organization_id
            AND m.chat_id = t.chat_id
        ORDER BY m.id DESC
        OFFSET 9999
        LIMIT 1
    ) AS oldest ON true
),
outside_window AS (
    DELETE FROM telegram_search AS f
    USING windows AS w
    WHERE f.organization_id = ANY(%(organization_ids)s)
        AND f.organization_id = w.organization_id
        AND f.chat_id = w.chat_id
        AND f.id < w.oldest_id
),
stored AS (
    INSERT INTO telegram_search AS f (
        organization_id, chat_id, id, sender_id, sent_at, text_lower, file_name_lower
    )
    SELECT
        m.organization_id, m.chat_id, m.id, m.sender_id, m.sent_at,
        fold_text(m.text), fold_text(m.file ->> 'fileName')
    FROM windows AS w
    JOIN telegram_messages AS m
        ON m.organization_id = ANY(%(organization_ids)s)
        AND m.organization_id = w.organization_id
        AND m.chat_id = w.chat_id
        AND m.id >= w.oldest_id
    ON CONFLICT (organization_id, chat_id, id) DO UPDATE SET
        sender_id = excluded.sender_id,
        sent_at = excluded.sent_at,
        text_lower = excluded.text_lower,
        file_name_lower = excluded.file_name_lower
    WHERE (f.sender_id, f.sent_at, f.text_lower, f.file_name_lower) IS DISTINCT FROM (
        excluded.sender_id, excluded.sent_at, excluded.text_lower, excluded.file_name_lower
    )
    RETURNING 1
)
SELECT count(*) FROM stored;
