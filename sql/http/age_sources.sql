-- Computes how old the included and approved sources of all organizations are, by kind.
-- Parameters: none.
-- Rows: (kind text, oldest_seconds float: age of the oldest, or null if no age is known, late_count
-- bigint: how many sources are older than their freshness target).
SELECT
    kind,
    extract(epoch FROM now() - min(updated_at))::float AS oldest_seconds,
    count(*) FILTER (
        WHERE updated_at < now() - make_interval(secs => stale_after_seconds)
    ) AS late_count
FROM sources
WHERE included AND external
GROUP BY kind;
