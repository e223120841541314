-- The newest messages of chats.

-- kind: message
-- index: telegram_search_by_chat, telegram_search_tokens; telegram_messages_pkey
-- table: telegram_search
-- scopes:
    SELECT c.source_id, c.id::text AS key, c.id, c.tracked_message_count AS record_count
    FROM telegram_chats AS c
    WHERE c.organization_id = %(organization_id)s AND c.source_id = ANY(%(source_ids)s::text[])
-- in_scope: f.chat_id = s.id
-- is_cut: (SELECT bool_or(s.record_count > %(pool_limit)s) FROM scopes AS s)
-- key: f.chat_id::text
-- folded: coalesce(f.text_lower, '') || E'\n' || coalesce(f.file_name_lower, '')
-- id: f.chat_id || ':' || f.id
-- at: f.sent_at
-- record:
        SELECT
            c.source_id, m.sender_name || ' in ' || c.title AS title, NULL AS href,
            ARRAY[m.text, m.file ->> 'fileName', m.detail] AS texts
        FROM telegram_messages AS m
        JOIN telegram_chats AS c ON c.organization_id = %(organization_id)s AND c.id = m.chat_id
        WHERE m.organization_id = %(organization_id)s
            AND m.chat_id = split_part(f.id, ':', 1)::uuid
            AND m.id = split_part(f.id, ':', 2)::integer
-- following:
    ARRAY(
        SELECT n.sender_name || ': ' || n.text
        FROM (
            SELECT n.id, n.sender_name, n.text FROM telegram_messages AS n
            WHERE n.organization_id = %(organization_id)s
                AND n.chat_id = split_part(f.id, ':', 1)::uuid
                AND n.id > split_part(f.id, ':', 2)::integer
            ORDER BY n.id
            LIMIT %(following_limit)s
        ) AS n
        WHERE n.text IS NOT NULL
        ORDER BY n.id
    )
