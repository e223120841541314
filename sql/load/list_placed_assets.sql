-- Where each staged folder or file lies once the stream is stored; a record may move what is stored.
-- As arrays, from which load/find_folder_errors follows the folders that are stored.
-- Parameters: organization_ids uuid[], some of the stream.
-- Row: (sequences, owner_ids: of organizations, ids, parent_ids text: arrays of equal length, or null).
SELECT
    array_agg(sequence)::text AS sequences, array_agg(organization_id)::text AS owner_ids,
    array_agg(id)::text AS ids, array_agg(parent_id)::text AS parent_ids
FROM (
    SELECT DISTINCT ON (organization_id, id) sequence, organization_id, id, parent_id
    FROM staged_assets
    WHERE organization_id = ANY(%(organization_ids)s)
    ORDER BY organization_id, id, sequence DESC
) AS placed;
