-- Locks sources of one organization until the transaction ends, always in the same order.
-- Parameters: organization_id uuid, ids text[], or null for all of its sources.
-- Rows: (id text), those that exist, by id.
-- Index: sources_pkey.
SELECT id
FROM sources
WHERE organization_id = %(organization_id)s
    AND (%(ids)s::text[] IS NULL OR id = ANY(%(ids)s))
ORDER BY id
FOR NO KEY UPDATE;
