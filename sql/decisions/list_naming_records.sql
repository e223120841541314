-- Lists records that contain one of some names, whoever wrote them. Its parts:
-- decisions/list_naming_records_of_type.
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
    {parts}
)
SELECT DISTINCT type, source_id, id
FROM texts
WHERE EXISTS (
    SELECT FROM names AS n WHERE position(n.name IN texts.text) > 0
)
ORDER BY type, source_id, id
LIMIT %(row_limit)s;
