-- Counts the rows of one table that are deleted together with an organization. {table} is the table of
-- a record type.
-- Parameters: organization_id uuid.
-- Rows: (count bigint).
-- Index: the primary key of the table.
SELECT count(*)
FROM {table}
WHERE organization_id = %(organization_id)s;
