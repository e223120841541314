-- Linked chats of one organization with what exports do not know of them.
-- Parameters: organization_id uuid.
-- Rows: (id uuid, linked_at timestamptz, username text or null, member_count bigint), by id.
-- Index: telegram_chats_pkey.
SELECT id, linked_at, username, member_count
FROM telegram_chats
WHERE organization_id = %(organization_id)s
ORDER BY id;
