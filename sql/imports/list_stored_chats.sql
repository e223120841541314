-- Lists the linked chats of one organization, with the columns that an import compares.
-- Parameters: organization_id uuid.
-- Rows: (id uuid, source_id text, type text, title text, linked_at, updated_at timestamptz,
-- username text or null, member_count bigint), by id.
-- Index: telegram_chats_pkey.
SELECT id, source_id, type, title, linked_at, updated_at, username, member_count
FROM telegram_chats
WHERE organization_id = %(organization_id)s
ORDER BY id;
