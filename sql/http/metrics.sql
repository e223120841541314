-- name: count_late_sources
-- Counts the included and approved sources of all organizations that are older than their freshness
-- target, by kind.
-- Rows: (kind text, late_count bigint).
SELECT
    kind,
    count(*) FILTER (
        WHERE coalesce(updated_at, '-infinity') < now() - make_interval(secs => stale_after_seconds)
    ) AS late_count
FROM sources
WHERE included AND external
GROUP BY kind;

-- name: count_expiring_keys
-- Counts the active keys in the last third of their life that expire within a week, over all
-- organizations.
-- Row: (expiring_count bigint).
SELECT count_expiring_keys(interval '7 days') AS expiring_count;

-- name: count_held
-- Counts the holds of all organizations, by reason.
-- Rows: (reason text, held_count bigint, oldest_seconds float: since the oldest of them began, or null).
-- Index: none; it reads all rows of knowledge_suppressions.
SELECT
    r.reason, count(s.held_id) AS held_count,
    extract(epoch FROM now() - min(s.suppressed_at))::float AS oldest_seconds
FROM unnest(ARRAY['new', 'secret', 'same text']) AS r (reason)
LEFT JOIN knowledge_suppressions AS s ON s.reason = r.reason
GROUP BY r.reason;
