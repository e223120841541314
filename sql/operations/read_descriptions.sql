-- Reads the descriptions of sources.
-- Parameters: organization_id uuid, source_ids text[].
-- Rows: (id text, description text), unordered, without sources whose description is empty.
-- Index: sources_pkey.
SELECT s.id, s.description
FROM sources AS s
WHERE s.organization_id = %(organization_id)s
    AND s.id = ANY(%(source_ids)s::text[])
    AND s.description <> '';
