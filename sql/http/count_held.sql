-- Counts the holds of all organizations, by reason.
-- Parameters: none.
-- Rows: (reason text, held_count bigint, oldest_seconds float: since the oldest of them began, or null).
-- Index: none; it reads all rows of knowledge_suppressions.
SELECT
    r.reason, count(s.held_id) AS held_count,
    extract(epoch FROM now() - min(s.suppressed_at))::float AS oldest_seconds
FROM unnest(ARRAY['new', 'secret', 'same text']) AS r (reason)
LEFT JOIN knowledge_suppressions AS s ON s.reason = r.reason
GROUP BY r.reason;
