-- Lists the messages and posts that a person wrote, including those that others forwarded or reposted.
-- Parameters: organization_id uuid, platform text, person_id text, usernames text[]: in lower case.
-- Rows: (type text: a record type, chat_id uuid or null, id text).
-- Index: telegram_messages_pkey, x_mentions_by_account_and_author.
SELECT 'telegram.message' AS type, m.chat_id, m.id::text AS id
FROM telegram_messages AS m
WHERE m.organization_id = %(organization_id)s
    AND %(platform)s = 'telegram'
    AND (
        m.sender_id = %(person_id)s
        OR EXISTS (
            SELECT FROM regexp_matches(m.detail, '^Forwarded from .*\((\w+)\)$', 'gn') AS f (parts)
            WHERE f.parts[1] = %(person_id)s
        )
    )
UNION ALL
SELECT 'x.mention', NULL::uuid, p.id
FROM x_mentions AS p
WHERE p.organization_id = %(organization_id)s
    AND %(platform)s = 'x'
    AND (
        p.author_id = %(person_id)s
        OR (p.is_repost AND lower(substring(p.text FROM '^RT @(\w{1,50}): ')) = ANY(%(usernames)s::text[]))
    );
