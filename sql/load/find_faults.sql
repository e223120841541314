-- Staged records that name a parent which is neither stored nor earlier in the stream, or that
-- the stored records leave no room for. What holds for records of every type reads
-- staged_records, so that it holds for a new type as well.
-- Parameters: single_kinds text[]: of which an organization has one source;
--   folder_depth integer: how deep folders may be nested; fault_limit integer.
-- Rows: (sequence bigint, fault text), the first ones in the order of the stream.
WITH RECURSIVE known_organizations AS MATERIALIZED (
    SELECT organization_id, min(sequence) AS sequence
    FROM (
        SELECT organization_id, 0 AS sequence FROM organizations
        UNION ALL SELECT organization_id, sequence FROM staged_organizations
    ) AS every
    GROUP BY organization_id
),
known_sources AS MATERIALIZED (
    SELECT DISTINCT ON (organization_id, id)
        organization_id, id, kind, min(sequence) OVER (PARTITION BY organization_id, id) AS sequence
    FROM (
        SELECT organization_id, id, kind, 0 AS sequence FROM sources
        UNION ALL SELECT organization_id, source_id, kind, sequence FROM staged_sources
    ) AS every
    ORDER BY organization_id, id, sequence
),
known_chats AS MATERIALIZED (
    SELECT DISTINCT ON (organization_id, id)
        organization_id, id, source_id,
        min(sequence) OVER (PARTITION BY organization_id, id) AS first_sequence
    FROM (
        SELECT organization_id, id, source_id, 0 AS sequence FROM telegram_chats
        UNION ALL SELECT organization_id, id, source_id, sequence FROM staged_telegram_chats
    ) AS every
    ORDER BY organization_id, id, sequence DESC
),
known_folders AS MATERIALIZED (
    SELECT organization_id, id, min(sequence) AS sequence
    FROM (
        SELECT organization_id, id, 0 AS sequence FROM assets WHERE kind = 'folder'
        UNION ALL SELECT organization_id, id, sequence FROM staged_assets WHERE kind = 'folder'
    ) AS every
    GROUP BY organization_id, id
),
-- Where each folder or file lies once the stream is stored; a record may move what is stored.
placed AS MATERIALIZED (
    SELECT DISTINCT ON (organization_id, id) sequence, organization_id, id, parent_id
    FROM staged_assets
    ORDER BY organization_id, id, sequence DESC
),
above AS (
    SELECT sequence, organization_id, id, parent_id, 1 AS depth FROM placed
    UNION ALL
    SELECT a.sequence, a.organization_id, a.id,
        CASE WHEN p.id IS NULL THEN s.parent_id ELSE p.parent_id END, a.depth + 1
    FROM above AS a
    LEFT JOIN placed AS p ON p.organization_id = a.organization_id AND p.id = a.parent_id
    LEFT JOIN assets AS s
        ON p.id IS NULL AND s.organization_id = a.organization_id AND s.id = a.parent_id
    WHERE a.parent_id IS NOT NULL AND a.parent_id <> a.id AND a.depth <= %(folder_depth)s
),
-- What lies in a stored folder goes with it.
below AS (
    SELECT p.sequence, p.organization_id, s.id, 0 AS depth
    FROM placed AS p
    JOIN assets AS s ON s.organization_id = p.organization_id AND s.id = p.id
    WHERE s.kind = 'folder' AND s.parent_id IS DISTINCT FROM p.parent_id
    UNION ALL
    SELECT b.sequence, b.organization_id, s.id, b.depth + 1
    FROM below AS b
    JOIN assets AS s
        ON s.organization_id = b.organization_id
        AND coalesce(s.parent_id, '00000000-0000-0000-0000-000000000000') = b.id
    WHERE b.depth <= %(folder_depth)s
        AND NOT EXISTS (
            SELECT FROM placed AS p WHERE p.organization_id = s.organization_id AND p.id = s.id
        )
),
-- The slugs of all organizations once the stream is stored; 0: of one that it does not change.
slugs AS MATERIALIZED (
    SELECT DISTINCT ON (organization_id) organization_id, slug, sequence
    FROM (
        SELECT organization_id, slug, 0 AS sequence FROM organizations
        UNION ALL SELECT organization_id, slug, sequence FROM staged_organizations
    ) AS every
    ORDER BY organization_id, sequence DESC
),
depths AS (
    SELECT sequence, bool_or(parent_id = id) AS is_circle, max(depth) AS depth
    FROM above
    GROUP BY sequence
),
faults AS (
    SELECT r.sequence, 1 AS rank,
        'organizationId names no organization that is stored or comes earlier in the stream'
            AS fault
    FROM staged_records AS r
    LEFT JOIN known_organizations AS o
        ON o.organization_id = r.organization_id AND o.sequence <= r.sequence
    WHERE NOT r.deleted AND o.organization_id IS NULL
    UNION ALL
    SELECT r.sequence, 2, 'sourceId names no source that is stored or comes earlier in the stream'
    FROM staged_records AS r
    LEFT JOIN known_sources AS s
        ON s.organization_id = r.organization_id AND s.id = r.source_id AND s.sequence < r.sequence
    WHERE r.source_kind IS NOT NULL AND s.id IS NULL
    UNION ALL
    SELECT r.sequence, 3,
        format('sourceId names a source of kind %%s; this record needs one of kind %%s',
            s.kind, r.source_kind)
    FROM staged_records AS r
    JOIN known_sources AS s ON s.organization_id = r.organization_id AND s.id = r.source_id
    WHERE s.kind <> r.source_kind
    UNION ALL
    SELECT r.sequence, 4, format('data.kind cannot change: this source is of kind %%s', s.kind)
    FROM staged_sources AS r
    JOIN known_sources AS s ON s.organization_id = r.organization_id AND s.id = r.source_id
    WHERE s.kind <> r.kind
    UNION ALL
    SELECT r.sequence, 5,
        format('data.kind: the organization already has a source of kind %%s, %%s', r.kind, s.id)
    FROM staged_sources AS r
    JOIN known_sources AS s
        ON s.organization_id = r.organization_id AND s.kind = r.kind AND s.id <> r.source_id
        AND s.sequence < r.sequence
    WHERE r.kind = ANY(%(single_kinds)s)
    UNION ALL
    SELECT r.sequence, 6, format('sourceId names a source that already links the chat %%s', c.id)
    FROM staged_telegram_chats AS r
    JOIN known_chats AS c
        ON c.organization_id = r.organization_id AND c.source_id = r.source_id AND c.id <> r.id
        AND c.first_sequence < r.sequence
    UNION ALL
    SELECT r.sequence, 7, 'data.chatId names no chat that is stored or comes earlier in the stream'
    FROM staged_telegram_messages AS r
    LEFT JOIN known_chats AS c
        ON c.organization_id = r.organization_id AND c.id = r.chat_id
        AND c.first_sequence < r.sequence
    WHERE NOT r.deleted AND c.id IS NULL
    UNION ALL
    SELECT r.sequence, 8, format('sourceId must be the source of the chat, %%s', c.source_id)
    FROM staged_telegram_messages AS r
    JOIN known_chats AS c ON c.organization_id = r.organization_id AND c.id = r.chat_id
    WHERE NOT r.deleted AND c.source_id <> r.source_id
    UNION ALL
    SELECT r.sequence, 9, 'data.parentId names no folder that is stored or comes earlier in the stream'
    FROM staged_assets AS r
    LEFT JOIN known_folders AS f
        ON f.organization_id = r.organization_id AND f.id = r.parent_id AND f.sequence < r.sequence
    WHERE r.parent_id IS NOT NULL AND f.id IS NULL
    UNION ALL
    SELECT sequence, 10, 'data.parentId makes a circle: the folder would lie in itself'
    FROM depths
    WHERE is_circle
    UNION ALL
    SELECT d.sequence, 11,
        format('data.parentId: folders may be nested %%s deep', %(folder_depth)s::integer)
    FROM depths AS d
    WHERE d.depth + coalesce(
        (SELECT max(b.depth) FROM below AS b WHERE b.sequence = d.sequence), 0
    ) > %(folder_depth)s
    UNION ALL
    SELECT s.sequence, 12,
        format('data.slug %%s is taken by the organization %%s', quote_literal(s.slug),
            min(other.organization_id::text))
    FROM slugs AS s
    JOIN slugs AS other ON other.slug = s.slug AND other.sequence < s.sequence
    GROUP BY s.sequence, s.slug
)
SELECT sequence, (array_agg(fault ORDER BY rank))[1] AS fault
FROM faults
GROUP BY sequence
ORDER BY sequence
LIMIT %(fault_limit)s;
