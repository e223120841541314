-- Lists records that contain one of some names, whoever wrote them.
-- Parameters: organization_id uuid, names text[]: in lower case, row_limit bigint.
-- Rows: (type, source_id, id text).
-- Index: none; it reads all texts of the organization.
WITH texts AS (
    SELECT 'knowledge' AS type, k.source_id, k.id, k.title_lower AS text
    FROM knowledge AS k WHERE k.organization_id = %(organization_id)s
    UNION ALL
    SELECT 'knowledge', k.source_id, k.id, c.search_text
    FROM knowledge_chunks AS c
    JOIN knowledge AS k ON k.organization_id = c.organization_id AND k.id = c.knowledge_id
    WHERE c.organization_id = %(organization_id)s AND k.organization_id = %(organization_id)s
    UNION ALL
    SELECT 'asset', a.source_id, a.id::text, lower(a.name || E'\n' || coalesce(a.uploaded_by_name, ''))
    FROM assets AS a WHERE a.organization_id = %(organization_id)s
    UNION ALL
    SELECT 'telegram.message', c.source_id, m.id::text,
        lower(concat_ws(E'\n', m.sender_name, m.text, m.detail, m.file ->> 'fileName'))
    FROM telegram_messages AS m
    JOIN telegram_chats AS c ON c.organization_id = m.organization_id AND c.id = m.chat_id
    WHERE m.organization_id = %(organization_id)s AND c.organization_id = %(organization_id)s
    UNION ALL
    SELECT 'x.mention', p.source_id, p.id, p.text_lower || E'\n' || lower(coalesce(p.quoted ->> 'text', ''))
    FROM x_mentions AS p WHERE p.organization_id = %(organization_id)s
)
SELECT DISTINCT type, source_id, id
FROM texts
WHERE EXISTS (
    SELECT FROM unnest(%(names)s::text[]) AS n (name) WHERE position(n.name IN texts.text) > 0
)
ORDER BY type, source_id, id
LIMIT %(row_limit)s;
