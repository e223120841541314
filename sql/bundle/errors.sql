-- name: find_parent_errors
-- Finds staged folders and files that name a folder that is neither stored nor earlier in the stream.
-- Parameters: organization_ids uuid[]: all organizations of the stream; error_limit integer: the most rows.
-- Rows: (sequence bigint: the record, error text), the first errors in the order of the stream.
WITH known_folders AS MATERIALIZED (
    SELECT organization_id, id, min(sequence) AS sequence
    FROM (
        SELECT organization_id, id, 0 AS sequence FROM assets
        WHERE organization_id = ANY(%(organization_ids)s) AND kind = 'folder'
        UNION ALL SELECT organization_id, id, sequence FROM staged_assets WHERE kind = 'folder'
    ) AS every
    GROUP BY organization_id, id
)
SELECT
    r.sequence,
    'data.parentId names no folder that is stored or comes earlier in the stream' AS error
FROM staged_assets AS r
LEFT JOIN known_folders AS f
    ON f.organization_id = r.organization_id AND f.id = r.parent_id AND f.sequence < r.sequence
WHERE r.parent_id IS NOT NULL AND f.id IS NULL
ORDER BY r.sequence
LIMIT %(error_limit)s;

-- name: find_folder_errors
-- Finds staged folders and files that would be part of a folder cycle, or nested too deeply, if the
-- stream were stored.
-- Parameters: organization_ids uuid[]: those of the arrays; sequences, owner_ids, ids, parent_ids
--   text: the arrays of bundle/list_placed_assets; folder_depth integer: how deep folders may be
--   nested; error_limit integer: the most rows to return.
-- Rows: (sequence bigint: the record, error text), the first errors in the order of the stream.
-- Index: assets_pkey, assets_by_folder.
WITH RECURSIVE placed AS MATERIALIZED (
    SELECT * FROM unnest(
        %(sequences)s::bigint[], %(owner_ids)s::uuid[], %(ids)s::uuid[], %(parent_ids)s::uuid[]
    ) AS p (sequence, organization_id, id, parent_id)
),
above AS (
    SELECT sequence, organization_id, id, parent_id, 1 AS depth FROM placed
    UNION ALL
    SELECT a.sequence, a.organization_id, a.id,
        CASE WHEN p.id IS NULL THEN s.parent_id ELSE p.parent_id END, a.depth + 1
    FROM above AS a
    LEFT JOIN placed AS p ON p.organization_id = a.organization_id AND p.id = a.parent_id
    LEFT JOIN assets AS s
        ON p.id IS NULL
        AND s.organization_id = ANY(%(organization_ids)s)
        AND s.organization_id = a.organization_id
        AND s.id = a.parent_id
    WHERE a.parent_id IS NOT NULL AND a.parent_id <> a.id AND a.depth <= %(folder_depth)s
),
-- If a record moves a stored folder, the contents of the folder move too.
below AS (
    SELECT p.sequence, p.organization_id, s.id, 0 AS depth
    FROM placed AS p
    JOIN assets AS s
        ON s.organization_id = ANY(%(organization_ids)s)
        AND s.organization_id = p.organization_id
        AND s.id = p.id
    WHERE s.kind = 'folder' AND s.parent_id IS DISTINCT FROM p.parent_id
    UNION ALL
    SELECT b.sequence, b.organization_id, s.id, b.depth + 1
    FROM below AS b
    JOIN assets AS s
        ON s.organization_id = ANY(%(organization_ids)s)
        AND s.organization_id = b.organization_id
        AND coalesce(s.parent_id, '00000000-0000-0000-0000-000000000000') = b.id
    WHERE b.depth <= %(folder_depth)s
        AND NOT EXISTS (
            SELECT FROM placed AS p WHERE p.organization_id = s.organization_id AND p.id = s.id
        )
),
depths AS (
    SELECT sequence, bool_or(parent_id = id) AS is_cycle, max(depth) AS depth
    FROM above
    GROUP BY sequence
)
SELECT
    d.sequence,
    CASE
        WHEN d.is_cycle THEN 'data.parentId creates a cycle: the folder would contain itself'
        ELSE format('data.parentId: folders can be nested at most %%s levels deep', %(folder_depth)s::integer)
    END AS error
FROM depths AS d
WHERE d.is_cycle
    OR d.depth + coalesce(
        (SELECT max(b.depth) FROM below AS b WHERE b.sequence = d.sequence), 0
    ) > %(folder_depth)s
ORDER BY d.sequence
LIMIT %(error_limit)s;

-- name: find_moves_of_type
-- Finds staged records of one type, and deletions that name a source, whose record another source has:
-- otherwise a collector would show records in an approved source, or delete those of another.
-- Parameters: organization_ids uuid[]: all organizations of the stream; error_limit integer: the most rows.
-- Rows: (sequence bigint: the record, error text), the first errors in the order of the stream.
WITH stored AS MATERIALIZED (
    SELECT DISTINCT t.organization_id, t.{key}, t.source_id
    FROM {table} AS t
    JOIN {staging} AS r USING (organization_id, {key})
    WHERE t.organization_id = ANY(%(organization_ids)s)
),
placed AS (
    SELECT organization_id, {key}, source_id, 0 AS sequence, false AS deleted FROM stored
    UNION ALL
    SELECT organization_id, {key}, source_id, sequence, deleted FROM {staging}
),
compared AS (
    SELECT
        sequence, source_id,
        lag(CASE WHEN NOT deleted THEN source_id END)
            OVER (PARTITION BY organization_id, {key} ORDER BY sequence) AS owner_id
    FROM placed
)
SELECT
    sequence,
    format('sourceId must be %%s, which has this record; to move it, delete it there first', owner_id)
        AS error
FROM compared
WHERE source_id <> owner_id
ORDER BY sequence
LIMIT %(error_limit)s;

-- name: find_source_errors
-- Finds staged sources beyond what the answers that list all sources of an organization can hold.
-- Parameters: organization_ids uuid[]: all organizations of the stream; most_sources bigint; most_bytes
--   bigint: of their texts as JSON; error_limit integer: the most rows to return.
-- Rows: (sequence bigint: the record, error text), the first errors in the order of the stream.
WITH latest AS (
    SELECT DISTINCT ON (organization_id, id) organization_id, id, sequence, texts
    FROM (
        SELECT organization_id, id, 0 AS sequence, ARRAY[id, label, description, href] AS texts
        FROM sources WHERE organization_id = ANY(%(organization_ids)s)
        UNION ALL
        SELECT organization_id, source_id, sequence, ARRAY[source_id, label, description, href]
        FROM staged_sources
    ) AS every
    ORDER BY every.organization_id, every.id, every.sequence DESC
),
counted AS (
    SELECT
        sequence, count(*) OVER stream AS number,
        sum(octet_length(array_to_json(texts)::text)) OVER stream AS bytes
    FROM latest
    WINDOW stream AS (PARTITION BY organization_id ORDER BY sequence, id)
)
SELECT
    sequence,
    CASE
        WHEN number > %(most_sources)s
        THEN format('an organization has at most %%s sources', %(most_sources)s::bigint)
        ELSE format('the texts of all sources of an organization have at most %%s bytes as JSON', %(most_bytes)s::bigint)
    END AS error
FROM counted
WHERE sequence > 0 AND (number > %(most_sources)s OR bytes > %(most_bytes)s)
ORDER BY sequence
LIMIT %(error_limit)s;
