-- Merges the staged knowledge items into the stored ones. If several records have the same id, only
-- the last is stored. Rows that would not change are not rewritten. Inserts the items that
-- changed into changed_knowledge, because they need new search tokens or chunks, and may be held.
-- Inserts into source_changes how many records of each source had each outcome.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
-- Row: (created, updated, unchanged, deleted bigint): how many rows had each outcome.
WITH latest AS MATERIALIZED (
    SELECT DISTINCT ON (organization_id, id) *
    FROM staged_knowledge
    ORDER BY organization_id, id, sequence DESC
),
deleted_rows AS (
    DELETE FROM knowledge AS t
    USING latest AS l
    WHERE l.deleted
        AND t.organization_id = ANY(%(organization_ids)s)
        AND t.organization_id = l.organization_id
        AND t.id = l.id
    RETURNING t.organization_id, t.source_id
),
merged AS (
    INSERT INTO knowledge AS t (organization_id, source_id, {columns})
    SELECT organization_id, source_id, {columns} FROM latest WHERE NOT deleted
    ON CONFLICT (organization_id, id) DO UPDATE SET ({updated}) = ROW ({excluded})
    WHERE ({stored}) IS DISTINCT FROM ({excluded})
    RETURNING t.organization_id, t.source_id, t.id, (xmax = 0) AS is_new  -- an update sets xmax
),
changed AS (
    INSERT INTO changed_knowledge (organization_id, id, sequence, has_new_content, is_new_in_source)
    SELECT
        m.organization_id, m.id, l.sequence, c.content_digest IS DISTINCT FROM l.content_digest,
        c.source_id IS DISTINCT FROM m.source_id
    FROM merged AS m
    JOIN latest AS l ON l.organization_id = m.organization_id AND l.id = m.id
    LEFT JOIN stored_contents AS c ON c.organization_id = m.organization_id AND c.id = m.id
),
{outcomes}
