-- Counts the rows of one table that are deleted together with a source or an organization. {table} is
-- the table of a record type.
-- Parameters: organization_id uuid; type text: organization or source; id text: the id of the deleted
--   organization or source.
-- Rows: (count bigint).
-- Index: the table's index by organization_id and source_id.
SELECT count(*)
FROM {table}
WHERE organization_id = %(organization_id)s
    AND (%(type)s::text = 'organization' OR source_id = %(id)s::text);
