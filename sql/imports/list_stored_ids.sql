-- Lists the ids of the records of one source, of one type.
-- Parameters: table: the table of the record type; organization_id uuid, source_id text.
-- Rows: (id).
-- Index: the table's index by organization_id and source_id.
SELECT id
FROM {table}
WHERE organization_id = %(organization_id)s AND source_id = %(source_id)s;
