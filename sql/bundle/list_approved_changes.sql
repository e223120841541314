-- Lists the approved sources whose records the stream changes. Runs after the sources are counted.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
-- Rows: (id text, record_count bigint: before the stream; created, updated, deleted bigint; held bigint:
--   how many of the created ones wait because the source holds new documents), by id.
-- Index: sources_pkey.
SELECT
    s.id,
    greatest(s.record_count - sum(h.readable) + sum(c.deleted), 0)::bigint AS record_count,
    sum(c.created)::bigint AS created,
    sum(c.updated)::bigint AS updated,
    sum(c.deleted)::bigint AS deleted,
    sum(c.created - h.readable)::bigint AS held
FROM source_changes AS c
JOIN sources AS s
    ON s.organization_id = ANY(%(organization_ids)s)
    AND s.organization_id = c.organization_id
    AND (s.id = c.source_id OR s.chat_id = c.chat_id)
CROSS JOIN LATERAL (SELECT CASE WHEN s.holds_new THEN 0 ELSE c.created END AS readable) AS h
WHERE s.included AND s.external
GROUP BY s.organization_id, s.id, s.record_count
ORDER BY s.id;
