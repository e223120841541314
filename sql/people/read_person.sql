-- Reads one person and the newest 20 of their messages or posts.
-- Parameters: organization_id uuid, platform text, person_id text, source_ids text[].
-- Rows: no row if there is no such person; else one row per message or post, newest first, with the
--   person's columns as in list_people. If there is none, one row whose other columns are null.
-- Index: people_by_person; telegram_messages_by_sender, x_mentions_by_account_and_author.
WITH evidence AS MATERIALIZED (
    SELECT s.*
    FROM people AS s
    WHERE s.organization_id = %(organization_id)s
        AND s.platform = %(platform)s
        AND s.person_id = %(person_id)s
        AND s.source_id = ANY(%(source_ids)s::text[])
),
person AS (
    SELECT
        (array_agg(s.display_name ORDER BY s.last_active_at DESC, s.source_id))[1] AS display_name,
        (array_agg(s.username ORDER BY s.last_active_at DESC, s.source_id))[1] AS username,
        (array_agg(s.verified ORDER BY s.last_active_at DESC, s.source_id))[1] AS verified,
        max(s.last_active_at) AS last_active_at,
        {activity_of_sources}
    FROM evidence AS s
    HAVING count(*) > 0
),
messages AS (
    SELECT
        'message' AS kind, c.id || ':' || m.id AS id, c.source_id,
        coalesce(m.text, m.file ->> 'fileName', m.detail, '') AS text, m.sent_at AS at, NULL AS href
    FROM telegram_chats AS c
    CROSS JOIN LATERAL (
        SELECT * FROM telegram_messages AS t
        WHERE t.organization_id = %(organization_id)s
            AND t.chat_id = c.id
            AND t.sender_id = %(person_id)s
        ORDER BY t.sent_at DESC, t.id DESC
        LIMIT 20
    ) AS m
    WHERE c.organization_id = %(organization_id)s
        AND %(platform)s = 'telegram'
        AND c.source_id = ANY(%(source_ids)s::text[])
    ORDER BY m.sent_at DESC, c.id, m.id DESC
    LIMIT 20
),
posts AS (
    SELECT 'post' AS kind, m.id, m.source_id, m.text, m.created_at AS at, m.url AS href
    FROM x_mentions AS m
    JOIN sources AS s ON s.organization_id = m.organization_id AND s.id = m.source_id
    WHERE m.organization_id = %(organization_id)s
        AND %(platform)s = 'x'
        AND m.author_id = %(person_id)s
        AND m.source_id = ANY(%(source_ids)s::text[])
        AND lower(m.account) = lower(s.account)
    ORDER BY m.created_at DESC, m.id
    LIMIT 20
)
SELECT
    %(platform)s::text AS platform, %(person_id)s::text AS person_id, p.*,
    a.kind AS activity_kind, a.id AS activity_id, a.source_id AS activity_source_id,
    a.text AS activity_text, a.href AS activity_href, a.at AS activity_at
FROM person AS p
LEFT JOIN (SELECT * FROM messages UNION ALL SELECT * FROM posts) AS a ON true
ORDER BY a.at DESC, a.id;
