-- Merges the staged token snapshots into the stored ones. If several records have the same id, only
-- the last is stored. Rows that would not change are not rewritten.
-- Inserts into source_changes how many records of each source had each outcome.
-- Parameters: none.
-- Row: (created, updated, unchanged, deleted bigint): how many rows had each outcome.
WITH latest AS MATERIALIZED (
    SELECT DISTINCT ON (organization_id, source_id) *
    FROM staged_tokens
    ORDER BY organization_id, source_id, sequence DESC
),
merged AS (
    INSERT INTO tokens AS t (
        organization_id, source_id, token, index, holders, latest_fees, latest_trade_at, sources
    )
    SELECT
        l.organization_id, l.source_id, l.token, l.index, l.holders, l.latest_fees,
        l.latest_trade_at, l.sources
    FROM latest AS l
    ON CONFLICT (organization_id, source_id) DO UPDATE SET
        token = excluded.token, index = excluded.index, holders = excluded.holders,
        latest_fees = excluded.latest_fees, latest_trade_at = excluded.latest_trade_at,
        sources = excluded.sources
    WHERE
        (
            t.token, t.index, t.holders, t.latest_fees, t.latest_trade_at, t.sources
        ) IS DISTINCT FROM (
            excluded.token, excluded.index, excluded.holders, excluded.latest_fees,
            excluded.latest_trade_at, excluded.sources
        )
    RETURNING t.organization_id, t.source_id, (xmax = 0) AS is_new  -- an update sets xmax
),
changed_sources AS (
    INSERT INTO source_changes (organization_id, source_id, created, updated, deleted)
    SELECT organization_id, source_id, is_new::integer, (NOT is_new)::integer, 0
    FROM merged
)
SELECT
    count(*) FILTER (WHERE is_new) AS created,
    count(*) FILTER (WHERE NOT is_new) AS updated,
    (SELECT count(*) FROM latest) - count(*) AS unchanged,
    0::bigint AS deleted
FROM merged;
