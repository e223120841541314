-- Computes the age of included sources by kind, over all organizations, without naming any.
-- Parameters: none.
-- Rows: (kind text, oldest_seconds float or null, late_count bigint: sources past their freshness
-- target).
SELECT
    kind,
    extract(epoch FROM now() - min(updated_at))::float AS oldest_seconds,
    count(*) FILTER (
        WHERE updated_at < now() - make_interval(secs => stale_after_seconds)
    ) AS late_count
FROM sources
WHERE included AND external
GROUP BY kind;
