-- name: list_stored_ids
-- Lists the ids of the records of one source, or of one chat. {table} is the table of their type, {owner_id} its
-- column source_id or chat_id.
-- Parameters: organization_id uuid, id text or uuid: of the source or chat.
-- Rows: (id).
-- Index: the table's index by organization_id and {owner_id}.
SELECT id
FROM {table}
WHERE organization_id = %(organization_id)s AND {owner_id} = %(id)s;

-- name: list_stored_chats
-- Lists the linked chats of one organization, with the columns that an import compares.
-- Parameters: organization_id uuid.
-- Rows: (id uuid, source_id text, title text, linked_at, updated_at timestamptz,
-- username text or null, member_count bigint), by id.
-- Index: telegram_chats_pkey.
SELECT id, source_id, title, linked_at, updated_at, username, member_count
FROM telegram_chats
WHERE organization_id = %(organization_id)s
ORDER BY id;

-- name: list_erased_users
-- Lists which users of X were erased.
-- Parameters: organization_id uuid, user_ids text[].
-- Rows: (user_id text).
-- Index: erased_people_pkey.
SELECT u.user_id
FROM unnest(%(user_ids)s::text[]) AS u (user_id)
JOIN erased_people AS e
    ON e.organization_id = %(organization_id)s
    AND e.digest = person_digest(%(organization_id)s::uuid, 'x', u.user_id);
