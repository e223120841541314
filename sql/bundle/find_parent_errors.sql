-- Finds staged folders and files that name a folder that is neither stored nor earlier in the stream.
-- Parameters: organization_ids uuid[]: all organizations of the stream; error_limit integer: the most
--   rows to return.
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
