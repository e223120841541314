-- Counts the sources that go with an organization that is deleted.
-- Parameters: organization_id uuid.
-- Rows: (count bigint).
-- Index: sources_pkey.
SELECT count(*)
FROM sources
WHERE organization_id = %(organization_id)s;
