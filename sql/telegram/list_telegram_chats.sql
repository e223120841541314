-- Lists one page of the linked chats, most recently active first, and counts them.
-- Parameters: organization_id uuid, source_ids text[], q text or null: part of a title or username;
--   page_size and page_offset bigint.
-- Rows: total bigint, then the columns of TelegramChat. If the page is empty, one row whose columns
--   of TelegramChat are null.
-- Index: telegram_chats_one_of_a_source.
WITH chats AS NOT MATERIALIZED (
    SELECT c.*
    FROM telegram_chats AS c
    WHERE c.organization_id = %(organization_id)s AND c.source_id = ANY(%(source_ids)s::text[])
        AND (
            %(q)s::text IS NULL
            OR position(fold_text(%(q)s::text) IN fold_text(c.title)) > 0
            OR position(fold_text(%(q)s::text) IN fold_text(c.username)) > 0
        )
)
SELECT
    list.total, c.id, c.type, c.title, c.username, c.member_count,
    c.tracked_message_count, c.last_message_at, c.linked_at, c.updated_at
FROM (SELECT count(*) AS total FROM chats) AS list
LEFT JOIN (
    SELECT * FROM chats
    ORDER BY last_message_at DESC NULLS LAST, title COLLATE "C", id
    LIMIT %(page_size)s OFFSET %(page_offset)s
) AS c ON true
ORDER BY c.last_message_at DESC NULLS LAST, c.title COLLATE "C", c.id;
