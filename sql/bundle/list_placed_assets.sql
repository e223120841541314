-- Lists the parent that each staged folder or file will have when the stream is stored: the one in
-- its last record. The arrays are parameters of bundle/find_folder_errors, which also reads stored
-- folders.
-- Parameters: organization_ids uuid[]: some or all organizations of the stream.
-- Row: (sequences, owner_ids, ids, parent_ids text: arrays of equal length in PostgreSQL's text
--   form, or null if no record is staged). owner_ids are organizations.
SELECT
    array_agg(sequence)::text AS sequences, array_agg(organization_id)::text AS owner_ids,
    array_agg(id)::text AS ids, array_agg(parent_id)::text AS parent_ids
FROM (
    SELECT DISTINCT ON (organization_id, id) sequence, organization_id, id, parent_id
    FROM staged_assets
    WHERE organization_id = ANY(%(organization_ids)s)
    ORDER BY organization_id, id, sequence DESC
) AS placed;
