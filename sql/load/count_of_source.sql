-- Counts the records of one table that go with a source or an organization that is deleted.
-- Parameters: table: of the record type; organization_id uuid; type text: of the record that is
--   deleted, organization or source; id text.
-- Rows: (count bigint).
-- Index: of the table by organization_id and source_id.
SELECT count(*)
FROM {table}
WHERE organization_id = %(organization_id)s
    AND (%(type)s::text = 'organization' OR source_id = %(id)s::text);
