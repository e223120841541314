-- name: list_texts
-- Lists the texts of a source's newest records, which its approval makes readable. A document has a row
-- for each chunk, with the beginning of the next one.
-- Parameters: organization_id uuid, source_id text, row_limit bigint.
-- Rows: (kind text: as in a search, or folder; id text, title text, at timestamptz or null, first_unit
-- integer: offset of the text in a document, in UTF-16 code units, head_length integer: how many
-- characters of the text come before that of the document, text text), newest first.
-- Index: knowledge_by_source_and_time, knowledge_chunks_pkey, telegram_chats_one_of_a_source,
-- telegram_messages_pkey, x_mentions_by_account, assets_by_source_and_time, tokens_pkey, sources_pkey.
SELECT t.*
FROM (
    (
        SELECT
            CASE k.kind WHEN 'note' THEN 'note' ELSE 'document' END AS kind,
            k.id, k.title, k.updated_at AS at, k.first_unit,
            length(k.head) AS head_length,
            k.head || coalesce(c.content || left(c.overlap, 200), '') AS text
        FROM (
            SELECT
                n.id, n.kind, n.title, n.updated_at, coalesce(f.first_unit, 0) AS first_unit,
                CASE WHEN coalesce(f.first_unit, 0) = 0
                    THEN concat_ws(E'\n', n.title, n.source_label, n.source_href, '')
                    ELSE ''
                END AS head
            FROM (
                SELECT * FROM readable_knowledge AS i
                WHERE i.organization_id = %(organization_id)s
                    AND i.source_id = %(source_id)s
                ORDER BY i.updated_at DESC, i.id
                LIMIT %(row_limit)s
            ) AS n
            LEFT JOIN knowledge_chunks AS f
                ON f.organization_id = %(organization_id)s AND f.knowledge_id = n.id
            ORDER BY n.updated_at DESC, n.id, f.first_unit
            LIMIT %(row_limit)s
        ) AS k
        LEFT JOIN knowledge_chunks AS c
            ON c.organization_id = %(organization_id)s
            AND c.knowledge_id = k.id
            AND c.first_unit = k.first_unit
    )
    UNION ALL
    (
        SELECT
            'message', m.chat_id || ':' || m.id, m.sender_name || ' in ' || c.title, m.sent_at, 0, 0,
            concat_ws(
                E'\n', m.text, m.detail, m.file ->> 'fileName', m.sender_name, m.sender_username
            )
        FROM telegram_chats AS c
        JOIN telegram_messages AS m
            ON m.organization_id = %(organization_id)s AND m.chat_id = c.id
        WHERE c.organization_id = %(organization_id)s AND c.source_id = %(source_id)s
        ORDER BY m.id DESC
        LIMIT %(row_limit)s
    )
    UNION ALL
    (
        SELECT
            'post', p.id, '@' || p.author_username, p.created_at, 0, 0,
            concat_ws(E'\n', p.text, p.author_name, p.url, p.quoted ->> 'text')
        FROM x_mentions AS p
        WHERE p.organization_id = %(organization_id)s AND p.source_id = %(source_id)s
        ORDER BY p.created_at DESC, p.id
        LIMIT %(row_limit)s
    )
    UNION ALL
    (
        SELECT
            CASE a.kind WHEN 'folder' THEN 'folder' ELSE 'asset' END, a.id::text, a.name,
            a.updated_at, 0, 0, concat_ws(E'\n', a.name, a.mime, a.public_url, a.uploaded_by_name)
        FROM assets AS a
        WHERE a.organization_id = %(organization_id)s AND a.source_id = %(source_id)s
        ORDER BY a.updated_at DESC, a.id
        LIMIT %(row_limit)s
    )
    UNION ALL
    SELECT
        'token', t.address, t.name, NULL, 0, 0, concat_ws(E'\n', t.token, t.sources)
    FROM tokens AS t
    WHERE t.organization_id = %(organization_id)s AND t.source_id = %(source_id)s
    UNION ALL
    SELECT
        'profile', o.organization_id::text, o.display_name, o.updated_at, 0, 0,
        concat_ws(E'\n', o.display_name, o.slug)
    FROM organizations AS o
    JOIN sources AS s
        ON s.organization_id = %(organization_id)s AND s.id = %(source_id)s AND s.kind = 'profile'
    WHERE o.organization_id = %(organization_id)s
    UNION ALL
    SELECT
        'source', s.id, s.label, s.updated_at, 0, 0,
        concat_ws(E'\n', s.label, s.description, s.href, s.account, c.title, c.username)
    FROM sources AS s
    LEFT JOIN telegram_chats AS c
        ON c.organization_id = %(organization_id)s AND c.source_id = s.id
    WHERE s.organization_id = %(organization_id)s AND s.id = %(source_id)s
) AS t
ORDER BY t.at DESC NULLS LAST, t.id, t.first_unit;
