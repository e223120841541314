-- Merges the staged records of one type, in {staging}, into {table}. Of several records with the same
-- {key}, only the last is stored. Rows that would not change are not rewritten.
-- Inserts into touched_sources the sources of the stored records that are replaced or deleted, and into
-- source_changes how many records of each source had each outcome.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
-- Row: (created, updated, unchanged, deleted bigint): how many rows had each outcome.
WITH latest AS MATERIALIZED (
    SELECT DISTINCT ON (organization_id, {key}) *
    FROM {staging}
    ORDER BY organization_id, {key}, sequence DESC
),
replaced AS MATERIALIZED (
    SELECT DISTINCT t.organization_id, t.source_id
    FROM {table} AS t
    JOIN latest AS l USING (organization_id, {key})
    WHERE t.organization_id = ANY(%(organization_ids)s)
),
touched AS (
    INSERT INTO touched_sources (organization_id, source_id)
    SELECT organization_id, source_id FROM replaced
    ON CONFLICT DO NOTHING
),
deleted_rows AS (
    DELETE FROM {table} AS t
    USING latest AS l
    WHERE (SELECT count(*) FROM latest WHERE deleted) > 0
        AND l.deleted
        AND t.organization_id = ANY(%(organization_ids)s)
        AND t.organization_id = l.organization_id
        AND t.{key} = l.{key}
    RETURNING t.organization_id, t.source_id
),
merged AS (
    INSERT INTO {table} AS t (organization_id, {key}, {updated})
    SELECT organization_id, {key}, {updated} FROM latest WHERE NOT deleted
    ON CONFLICT (organization_id, {key}) DO UPDATE SET ({updated}) = ROW ({excluded})
    WHERE ({stored}) IS DISTINCT FROM ({excluded})
    RETURNING t.organization_id, t.source_id, (xmax = 0) AS is_new  -- an update sets xmax
),
{outcomes}
