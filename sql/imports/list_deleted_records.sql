-- Lists the records of one source that imports deleted.
-- Parameters: organization_id uuid, source_id text.
-- Rows: (type, id text, collected_at timestamptz).
-- Index: deleted_records_pkey.
SELECT type, id, collected_at
FROM deleted_records
WHERE organization_id = %(organization_id)s AND source_id = %(source_id)s;
