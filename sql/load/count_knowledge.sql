-- Counts the knowledge items that go with a record that is deleted.
-- Parameters: organization_id uuid; type text: of the record, organization or source; id text.
-- Rows: (count bigint).
-- Index: knowledge_by_source.
SELECT count(*)
FROM knowledge
WHERE organization_id = %(organization_id)s
    AND (%(type)s::text = 'organization' OR source_id = %(id)s::text);
