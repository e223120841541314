-- Inserts sources into touched_sources, so that their derived data is recomputed, and into
-- source_changes how many of their records were deleted.
-- Parameters: organization_id uuid, source_ids text[], or null for none, deleted bigint.
-- Rows: none.
WITH changed AS (
    INSERT INTO source_changes (organization_id, source_id, created, updated, deleted)
    SELECT %(organization_id)s, unnest(%(source_ids)s::text[]), 0, 0, %(deleted)s
)
INSERT INTO touched_sources (organization_id, source_id)
SELECT %(organization_id)s, unnest(%(source_ids)s::text[])
ON CONFLICT DO NOTHING;
