-- name: add_deletions
-- Inserts into source_changes how many records of sources were deleted, so that their derived data is
-- recomputed.
-- Parameters: organization_id uuid, source_ids text[], deleted bigint.
INSERT INTO source_changes (organization_id, source_id, deleted)
SELECT %(organization_id)s, unnest(%(source_ids)s::text[]), %(deleted)s;

-- name: delete_organization
-- Deletes an organization and everything in it.
-- Also deletes its row in organization_locks. A load that waits for this row inserts a new one.
-- Parameters: organization_id uuid, id uuid: the same value.
-- Rows: (source_id text: null, because the sources are deleted too), at most one.
WITH deleted_rows AS (
    DELETE FROM organizations
    WHERE organization_id = %(organization_id)s AND organization_id = %(id)s
    RETURNING NULL::text AS source_id
),
unlocked AS (
    DELETE FROM organization_locks WHERE organization_id = %(organization_id)s
)
SELECT source_id FROM deleted_rows;  -- Citus rejects a DELETE here, as in delete_source

-- name: delete_record
-- Deletes a member, whose keys become ineligible, or the token snapshot of a source.
-- Parameters: organization_id uuid; id uuid or text: of the member or source.
-- Rows: ({owner_id}), at most one.
DELETE FROM {table}
WHERE organization_id = %(organization_id)s AND {key} = %(id)s
RETURNING {owner_id};

-- name: delete_source
-- Deletes a source and its records. Inserts its people into touched_people, so that their other
-- sources are recomputed. Keys that are limited to it keep '' for it, the id of no source.
-- Parameters: organization_id uuid, id text.
-- Rows: (source_id text: null, because the source itself is deleted), at most one.
WITH touched_rows AS (
    INSERT INTO touched_people (organization_id, platform, person_id)
    SELECT organization_id, platform, person_id FROM people
    WHERE organization_id = %(organization_id)s AND source_id = %(id)s
),
limits AS (
    UPDATE api_keys SET source_ids = array_replace(source_ids, %(id)s, '')
    WHERE organization_id = %(organization_id)s AND %(id)s = ANY(source_ids)
),
deleted_rows AS (
    DELETE FROM sources
    WHERE organization_id = %(organization_id)s AND id = %(id)s
    RETURNING NULL::text AS source_id
)
SELECT source_id FROM deleted_rows;  -- Citus rejects a DELETE here

-- name: delete_asset
-- Deletes a file, or a folder with its contents.
-- Parameters: organization_id uuid, id uuid.
-- Rows: (source_id text), one for each file and folder.
-- Index: assets_by_folder, assets_pkey.
WITH RECURSIVE tree AS (
    SELECT a.id FROM assets AS a
    WHERE a.organization_id = %(organization_id)s AND a.id = %(id)s
    UNION
    SELECT a.id
    FROM tree AS t
    JOIN assets AS a
        ON a.organization_id = %(organization_id)s
        AND coalesce(a.parent_id, '00000000-0000-0000-0000-000000000000') = t.id
)
DELETE FROM assets AS a
USING tree AS t
WHERE a.organization_id = %(organization_id)s AND a.id = t.id
RETURNING a.source_id;

-- name: delete_telegram_chat
-- Deletes a chat, its messages and the rows of its senders in people. Inserts these senders into
-- touched_people, so that their other sources are recomputed.
-- Parameters: organization_id uuid, id uuid.
-- Rows: (source_id text), at most one.
WITH deleted_rows AS (
    DELETE FROM telegram_chats
    WHERE organization_id = %(organization_id)s AND id = %(id)s
    RETURNING source_id
),
silent AS (
    DELETE FROM people AS p
    USING deleted_rows AS g
    WHERE p.organization_id = %(organization_id)s AND p.source_id = g.source_id
    RETURNING p.organization_id, p.platform, p.person_id
),
people_added AS (
    INSERT INTO touched_people (organization_id, platform, person_id)
    SELECT organization_id, platform, person_id FROM silent
)
SELECT source_id FROM deleted_rows;

-- name: withhold_telegram_messages
-- Turns the staged messages that erased people wrote, and those that forward them, into tombstones.
-- Parameters: digests bytea[]: the digests of the erased people, see person_digest.
UPDATE staged_telegram_messages
SET deleted = true
WHERE NOT deleted
    AND (
        person_digest(organization_id, 'telegram', sender_id) = ANY(%(digests)s::bytea[])
        OR EXISTS (
            SELECT FROM regexp_matches(detail, '^Forwarded from .*\((\w+)\)$', 'gn') AS m (parts)
            WHERE person_digest(organization_id, 'telegram', m.parts[1]) = ANY(%(digests)s::bytea[])
        )
    );

-- name: erase_usernames
-- Stores digests of the new usernames of erased people, by which reposts name them: those that nobody
-- else has, in the staged and the stored mentions.
-- Parameters: organization_ids uuid[]: all organizations of the stream; digests bytea[]: of erased people.
-- Rows: (digest bytea): the new ones.
-- Index: people_by_person.
WITH taken AS MATERIALIZED (
    SELECT organization_id, lower(username) AS username FROM people
    WHERE organization_id = ANY(%(organization_ids)s) AND platform = 'x'
),
stored AS (
    INSERT INTO erased_people (organization_id, digest)
    SELECT m.organization_id, person_digest(m.organization_id, 'x', '@' || lower(a.username)) AS digest
    FROM staged_x_mentions AS m
    CROSS JOIN LATERAL (
        VALUES (author_id, author_username), (quoted #>> '{author,id}', quoted #>> '{author,username}')
    ) AS a (id, username)
    WHERE NOT EXISTS (
        SELECT FROM taken AS t
        WHERE t.organization_id = m.organization_id AND t.username = lower(a.username)
    )
    GROUP BY m.organization_id, digest
    HAVING bool_and(person_digest(m.organization_id, 'x', a.id) = ANY(%(digests)s::bytea[]))
    ON CONFLICT DO NOTHING
    RETURNING digest
)
SELECT digest FROM stored;

-- name: withhold_x_mentions
-- Turns the staged mentions of erased people, and reposts of theirs, into tombstones, and removes
-- their quoted posts from the mentions of others.
-- Parameters: digests bytea[]: the digests of the erased people, see person_digest.
UPDATE staged_x_mentions
SET
    deleted = ARRAY[
        person_digest(organization_id, 'x', author_id),
        CASE WHEN is_repost THEN
            person_digest(organization_id, 'x', '@' || lower(substring(text FROM '^RT @(\w{1,50}): ')))
        END
    ] && %(digests)s::bytea[],
    quoted = CASE
        WHEN person_digest(organization_id, 'x', quoted #>> '{author,id}') = ANY(%(digests)s::bytea[])
        THEN NULL
        ELSE quoted
    END
WHERE NOT deleted;
