-- Counts the rows of one table that are deleted together with a source or an organization.
-- Parameters: table: the table of the record type; organization_id uuid; type text: the type of
--   the record that is deleted, organization or source; id text: the id of that record.
-- Rows: (count bigint).
-- Index: the table's index by organization_id and source_id.
SELECT count(*)
FROM {table}
WHERE organization_id = %(organization_id)s
    AND (%(type)s::text = 'organization' OR source_id = %(id)s::text);
