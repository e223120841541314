-- name: find_people
-- Finds people behind stored messages and posts, including people who are only quoted. The term is a
-- key such as telegram:user1, an id or a username, and with by_name also a part of a name.
-- Parameters: organization_id uuid, term text, username text: the term without @, by_name boolean.
-- Rows: (platform, person_id text, display_names, usernames text[]), by platform and id.
-- Index: none; it reads all messages and posts of the organization.
WITH written AS (
    SELECT 'telegram' AS platform, m.sender_id AS person_id, m.sender_name AS display_name,
        m.sender_username AS username
    FROM telegram_messages AS m
    WHERE m.organization_id = %(organization_id)s AND m.sender_id IS NOT NULL
    UNION
    SELECT 'x', a.*
    FROM x_mentions AS p
    CROSS JOIN LATERAL (
        VALUES (author_id, author_name, author_username),
            (quoted #>> '{author,id}', quoted #>> '{author,name}', quoted #>> '{author,username}')
    ) AS a (id, name, username)
    WHERE p.organization_id = %(organization_id)s AND a.id IS NOT NULL
)
SELECT
    platform,
    person_id,
    array_agg(DISTINCT display_name) AS display_names,
    coalesce(array_agg(DISTINCT username) FILTER (WHERE username IS NOT NULL), '{}') AS usernames
FROM written
GROUP BY platform, person_id
HAVING
    %(term)s IN (platform || ':' || person_id, person_id)
    OR bool_or(lower(username) = lower(%(username)s))
    OR (%(by_name)s AND bool_or(position(fold_text(%(username)s::text) IN fold_text(display_name)) > 0))
ORDER BY platform, person_id;

-- name: list_person_records
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

-- name: erase_quotes
-- Removes the posts of an X user that mentions by others quote.
-- Parameters: organization_id uuid, person_id text.
-- Rows: (id text): the mentions.
-- Index: x_mentions_pkey.
UPDATE x_mentions AS p
SET quoted = NULL
WHERE p.organization_id = %(organization_id)s AND p.quoted #>> '{author,id}' = %(person_id)s
RETURNING p.id;

-- name: remember_erasure
-- Stores that a person was erased, so that loads keep this person out. A repost names its author by a
-- username of X, whose digest is that of `@` and the username.
-- Parameters: organization_id uuid, platform text, names text[]: id and usernames, in lower case after `@`.
INSERT INTO erased_people (organization_id, digest)
SELECT %(organization_id)s::uuid, person_digest(%(organization_id)s::uuid, %(platform)s, name)
FROM unnest(%(names)s::text[]) AS n (name)
ON CONFLICT DO NOTHING;
