-- Deletes the stored deletions of a source that exceed a limit, those with the oldest evidence.
-- Parameters: organization_id uuid, source_id text, limit bigint: how many to keep.
-- Row: (forgotten_count bigint).
-- Index: deleted_records_pkey.
WITH oldest AS MATERIALIZED (
    SELECT type, id
    FROM deleted_records
    WHERE organization_id = %(organization_id)s AND source_id = %(source_id)s
    ORDER BY collected_at DESC, type, id
    OFFSET %(limit)s
),
deleted_rows AS (
    DELETE FROM deleted_records AS t
    USING oldest AS o
    WHERE t.organization_id = %(organization_id)s
        AND t.source_id = %(source_id)s
        AND t.type = o.type
        AND t.id = o.id
    RETURNING 1
)
SELECT count(*) AS forgotten_count FROM deleted_rows;
