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

-- name: list_naming_records
-- Lists records that contain one of some names, whoever wrote them.
-- Parameters: organization_id uuid, names text[], row_limit bigint.
-- Rows: (type, source_id, id text).
-- Index: none; it reads all texts of the organization. The separator is in no name and no text.
WITH names AS MATERIALIZED (
    SELECT fold_text(n.name) AS name FROM unnest(%(names)s::text[]) AS n (name)
),
texts AS (
    SELECT 'source' AS type, s.id AS source_id, s.id, fold_text(concat_ws(E'\x01', s.label, s.description)) AS text
    FROM sources AS s WHERE s.organization_id = %(organization_id)s
    UNION ALL
    SELECT 'knowledge', k.source_id, k.id, concat_ws(E'\x01', k.title_lower, fold_text(k.source_label))
    FROM knowledge AS k WHERE k.organization_id = %(organization_id)s
    UNION ALL
    SELECT 'knowledge', k.source_id, k.id, c.search_text
    FROM knowledge_chunks AS c
    JOIN knowledge AS k ON k.organization_id = c.organization_id AND k.id = c.knowledge_id
    WHERE c.organization_id = %(organization_id)s AND k.organization_id = %(organization_id)s
    UNION ALL
    SELECT 'telegram.message', c.source_id, m.id::text,
        fold_text(concat_ws(E'\x01', m.sender_name, m.sender_username, m.text, m.detail, m.file ->> 'fileName'))
    FROM telegram_messages AS m
    JOIN telegram_chats AS c ON c.organization_id = m.organization_id AND c.id = m.chat_id
    WHERE m.organization_id = %(organization_id)s AND c.organization_id = %(organization_id)s
    UNION ALL
    SELECT 'token', t.source_id, t.address, fold_text(concat_ws(E'\x01', t.token, t.sources))
    FROM tokens AS t WHERE t.organization_id = %(organization_id)s
    UNION ALL
    SELECT 'asset', a.source_id, a.id::text, fold_text(concat_ws(E'\x01', a.name, a.mime, a.uploaded_by_name))
    FROM assets AS a WHERE a.organization_id = %(organization_id)s
    UNION ALL
    SELECT 'telegram.chat', c.source_id, c.id::text, fold_text(concat_ws(E'\x01', c.title, c.username))
    FROM telegram_chats AS c WHERE c.organization_id = %(organization_id)s
    UNION ALL
    SELECT 'x.mention', p.source_id, p.id,
        fold_text(concat_ws(E'\x01', p.text, p.author_name, p.author_username, p.quoted ->> 'text'))
    FROM x_mentions AS p WHERE p.organization_id = %(organization_id)s
)
SELECT DISTINCT type, source_id, id
FROM texts
WHERE EXISTS (
    SELECT FROM names AS n WHERE position(n.name IN texts.text) > 0
)
ORDER BY type, source_id, id
LIMIT %(row_limit)s;

-- name: erase_quotes
-- Removes the posts of an X user that mentions by others quote.
-- Parameters: organization_id uuid, person_id text.
-- Row: (erased_count bigint).
-- Index: x_mentions_pkey.
WITH erased AS (
    UPDATE x_mentions AS p
    SET quoted = NULL
    WHERE p.organization_id = %(organization_id)s
        AND p.quoted #>> '{author,id}' = %(person_id)s
    RETURNING 1
)
SELECT count(*) AS erased_count FROM erased;

-- name: remember_erasure
-- Stores that a person was erased, so that loads keep this person out. A repost names its author by a
-- username of X, whose digest is that of `@` and the username.
-- Parameters: organization_id uuid, platform text, person_id text, usernames text[]: in lower case.
INSERT INTO erased_people (organization_id, digest)
SELECT
    %(organization_id)s::uuid,
    person_digest(%(organization_id)s::uuid, %(platform)s, name)
FROM (
    SELECT %(person_id)s AS name
    UNION
    SELECT '@' || unnest(%(usernames)s::text[]) WHERE %(platform)s = 'x'
) AS names
ON CONFLICT DO NOTHING;
