-- Inserts sources into touched_sources, so that their derived data is recomputed.
-- Parameters: organization_id uuid, source_ids text[], or null for none.
-- Rows: none.
INSERT INTO touched_sources (organization_id, source_id)
SELECT %(organization_id)s, unnest(%(source_ids)s::text[])
ON CONFLICT DO NOTHING;
