-- Counts the records of one table that are deleted with a source or an organization.
-- Parameters: table: the table of the record type; organization_id uuid; type text: organization or
--   source, the type of the record that is deleted; id text: its id.
-- Rows: (count bigint).
-- Index: the table's index by organization_id and source_id.
SELECT count(*)
FROM {table}
WHERE organization_id = %(organization_id)s
    AND (%(type)s::text = 'organization' OR source_id = %(id)s::text);
