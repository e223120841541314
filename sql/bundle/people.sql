-- name: derive_people_counts
-- Recomputes people_counts for the sources in source_changes, and for all sources of the people in
-- touched_people.
-- Parameters: organization_ids uuid[]: some or all organizations of the stream.
-- Index: people_by_person, people_pkey.
WITH touched AS MATERIALIZED (
    SELECT organization_id, source_id FROM source_changes
    WHERE organization_id = ANY(%(organization_ids)s)
    UNION
    SELECT p.organization_id, p.source_id
    FROM touched_people AS t
    JOIN people AS p
        ON p.organization_id = ANY(%(organization_ids)s)
        AND p.organization_id = t.organization_id
        AND p.platform = t.platform
        AND p.person_id = t.person_id
    WHERE t.organization_id = ANY(%(organization_ids)s)
),
counted AS MATERIALIZED (
    SELECT
        p.organization_id, p.source_id,
        row_number() OVER (
            PARTITION BY p.organization_id, p.source_id ORDER BY p.newer_source_ids
        ) AS number,
        p.newer_source_ids, count(*) AS people_count
    FROM touched AS t
    JOIN people AS p
        ON p.organization_id = ANY(%(organization_ids)s)
        AND p.organization_id = t.organization_id
        AND p.source_id = t.source_id
    GROUP BY p.organization_id, p.source_id, p.newer_source_ids
),
deleted_rows AS (
    DELETE FROM people_counts AS n
    USING touched AS t
    WHERE n.organization_id = ANY(%(organization_ids)s)
        AND n.organization_id = t.organization_id
        AND n.source_id = t.source_id
        AND NOT EXISTS (
            SELECT FROM counted AS c
            WHERE c.organization_id = n.organization_id
                AND c.source_id = n.source_id
                AND c.number = n.number
        )
),
stored AS (
    INSERT INTO people_counts AS n (
        organization_id, source_id, number, newer_source_ids, people_count
    )
    SELECT organization_id, source_id, number, newer_source_ids, people_count FROM counted
    ON CONFLICT (organization_id, source_id, number) DO UPDATE SET
        newer_source_ids = excluded.newer_source_ids, people_count = excluded.people_count
    WHERE (n.newer_source_ids, n.people_count)
        IS DISTINCT FROM (excluded.newer_source_ids, excluded.people_count)
    RETURNING 1
)
SELECT count(*) FROM stored;

-- name: derive_telegram_people
-- Recomputes the rows in people of the senders in touched_senders, and inserts these senders into
-- touched_people.
-- Parameters: organization_ids uuid[]: some or all organizations of the stream.
-- Index: telegram_messages_by_sender. LATERAL looks up one sender at a time, even if the planner's
-- statistics are outdated.
WITH touched AS MATERIALIZED (
    SELECT organization_id, chat_id, sender_id FROM touched_senders
    WHERE organization_id = ANY(%(organization_ids)s)
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
),
active AS MATERIALIZED (
    SELECT
        a.organization_id, a.source_id, 'telegram' AS platform, a.sender_id AS person_id, n.sender_name AS display_name,
        n.sender_username AS username, NULL::boolean AS verified, a.activity_count, a.first_at, a.last_at
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
),
{store_active}

-- name: derive_x_people
-- Recomputes the people of the X sources in source_changes from their mentions: inserts, updates and
-- deletes authors. Only mentions of the source's connected account count.
-- Parameters: organization_ids uuid[]: some or all organizations of the stream.
-- Index: x_mentions_by_account.
WITH touched AS MATERIALIZED (
    SELECT DISTINCT s.organization_id, s.id, s.account
    FROM source_changes AS t
    JOIN sources AS s ON s.organization_id = t.organization_id AND s.id = t.source_id
    WHERE t.organization_id = ANY(%(organization_ids)s)
        AND s.organization_id = ANY(%(organization_ids)s)
        AND s.kind = 'x'
),
mentions AS MATERIALIZED (
    SELECT m.*
    FROM touched AS t
    JOIN x_mentions AS m
        ON m.organization_id = ANY(%(organization_ids)s)
        AND m.organization_id = t.organization_id
        AND m.source_id = t.id
        AND lower(m.account) = lower(t.account)
),
without_mentions AS (
    DELETE FROM people AS p
    USING touched AS t
    WHERE p.organization_id = ANY(%(organization_ids)s)
        AND p.organization_id = t.organization_id
        AND p.source_id = t.id
        AND NOT EXISTS (
            SELECT FROM mentions AS m
            WHERE m.organization_id = p.organization_id
                AND m.source_id = p.source_id
                AND m.author_id = p.person_id
        )
),
active AS MATERIALIZED (
    SELECT DISTINCT ON (m.organization_id, m.source_id, m.author_id)
        m.organization_id, m.source_id, 'x' AS platform, m.author_id AS person_id, m.author_name AS display_name,
        m.author_username AS username, m.author_verified AS verified, count(*) OVER author AS activity_count,
        min(m.created_at) OVER author AS first_at, max(m.created_at) OVER author AS last_at
    FROM mentions AS m
    WINDOW author AS (PARTITION BY m.organization_id, m.source_id, m.author_id)
    ORDER BY m.organization_id, m.source_id, m.author_id, m.created_at DESC, m.id DESC
),
{store_active}
