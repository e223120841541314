-- Records sources whose derived data changed.
-- Parameters: organization_id uuid, source_ids text[] or null for none.
-- Rows: none.
INSERT INTO touched_sources (organization_id, source_id)
SELECT %(organization_id)s, unnest(%(source_ids)s::text[])
ON CONFLICT DO NOTHING;
