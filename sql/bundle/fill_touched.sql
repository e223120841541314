-- Fills touched_sources: the sources of the staged records, and the profiles of staged organizations.
-- Runs before the merge, whose statements add the sources of the records that the stream replaces.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
-- Rows: none.
INSERT INTO touched_sources (organization_id, source_id)
SELECT organization_id, source_id FROM staged_records WHERE source_id IS NOT NULL
UNION
SELECT t.organization_id, t.id
FROM sources AS t JOIN staged_organizations USING (organization_id)
WHERE t.organization_id = ANY(%(organization_ids)s) AND t.kind = 'profile'
ON CONFLICT DO NOTHING;
