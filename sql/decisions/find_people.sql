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
    SELECT 'x', p.author_id, p.author_name, p.author_username
    FROM x_mentions AS p
    WHERE p.organization_id = %(organization_id)s
    UNION
    SELECT 'x', p.quoted #>> '{author,id}', p.quoted #>> '{author,name}',
        p.quoted #>> '{author,username}'
    FROM x_mentions AS p
    WHERE p.organization_id = %(organization_id)s AND p.quoted IS NOT NULL
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
