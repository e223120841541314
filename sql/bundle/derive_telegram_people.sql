-- Recomputes the rows in people of the senders that touched_senders lists for some chats, and inserts
-- these senders into touched_people.
-- Parameters: organization_ids, chat_ids uuid[]: a row of list_touched_chats.
-- Row: (stored_count bigint): how many rows were inserted or updated.
-- Index: telegram_messages_by_sender. LATERAL looks up one sender at a time, even if the planner's
-- statistics are outdated.
WITH touched AS MATERIALIZED (
    SELECT organization_id, chat_id, sender_id FROM touched_senders
    WHERE organization_id = ANY(%(organization_ids)s) AND chat_id = ANY(%(chat_ids)s)
),
activity AS MATERIALIZED (
    SELECT c.organization_id, c.source_id, t.chat_id, t.sender_id, a.*
    FROM touched AS t
    JOIN telegram_chats AS c
        ON c.organization_id = ANY(%(organization_ids)s)
        AND c.organization_id = t.organization_id
        AND c.id = t.chat_id
    CROSS JOIN LATERAL (
        SELECT
            count(*) AS activity_count, min(m.sent_at) AS first_at, max(m.sent_at) AS last_at
        FROM telegram_messages AS m
        WHERE m.organization_id = ANY(%(organization_ids)s)
            AND m.organization_id = t.organization_id
            AND m.chat_id = t.chat_id
            AND m.sender_id = t.sender_id
    ) AS a
),
silent AS (
    DELETE FROM people AS p
    USING activity AS a
    WHERE (SELECT count(*) FROM activity WHERE activity_count = 0) > 0
        AND a.activity_count = 0
        AND p.organization_id = ANY(%(organization_ids)s)
        AND p.organization_id = a.organization_id
        AND p.source_id = a.source_id
        AND p.person_id = a.sender_id
),
touched_rows AS (
    INSERT INTO touched_people (organization_id, platform, person_id)
    SELECT DISTINCT organization_id, 'telegram', sender_id FROM touched
    ON CONFLICT DO NOTHING
),
stored AS (
    INSERT INTO people AS p (
        organization_id, source_id, platform, person_id, display_name, username,
        activity_count, first_active_at, last_active_at
    )
    SELECT
        a.organization_id, a.source_id, 'telegram', a.sender_id, n.sender_name, n.sender_username,
        a.activity_count, a.first_at, a.last_at
    FROM activity AS a
    CROSS JOIN LATERAL (
        SELECT m.sender_name, m.sender_username
        FROM telegram_messages AS m
        WHERE m.organization_id = ANY(%(organization_ids)s)
            AND m.organization_id = a.organization_id
            AND m.chat_id = a.chat_id
            AND m.sender_id = a.sender_id
        ORDER BY m.sent_at DESC, m.id DESC
        LIMIT 1
    ) AS n
    ON CONFLICT (organization_id, source_id, person_id) DO UPDATE SET
        display_name = excluded.display_name, username = excluded.username,
        activity_count = excluded.activity_count,
        first_active_at = excluded.first_active_at, last_active_at = excluded.last_active_at
    RETURNING 1
)
SELECT count(*) AS stored_count FROM stored;
