-- Lists the sources in touched_sources, whose record counts must be recomputed, by organization.
-- Parameters: none.
-- Rows: (organization_id uuid, source_ids text[]).
SELECT organization_id, array_agg(source_id) AS source_ids
FROM touched_sources
GROUP BY organization_id;
