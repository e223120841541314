-- Lists the people who wrote in one source.
-- Parameters: organization_id uuid, source_id text.
-- Rows: (person_id text).
-- Index: people_pkey.
SELECT person_id
FROM people
WHERE organization_id = %(organization_id)s AND source_id = %(source_id)s;
