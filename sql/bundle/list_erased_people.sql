-- Lists the digests of all erased people of some organizations.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
-- Rows: (digest bytea).
-- Index: erased_people_pkey.
SELECT digest FROM erased_people WHERE organization_id = ANY(%(organization_ids)s);
