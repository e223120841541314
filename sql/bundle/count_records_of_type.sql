-- The number of one type of record in bundle/count_records.
-- Parameters: organization_id uuid.
-- Row: (count bigint).
WHEN '{kind}' THEN (
    SELECT count(*)
    FROM {table} AS r
    WHERE r.organization_id = %(organization_id)s AND r.source_id = t.id
)
