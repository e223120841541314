-- Lists the approved sources whose records the stream changes. Runs after the sources are counted.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
-- Rows: (id text, record_count bigint: before the stream; created, updated, deleted bigint), by id.
-- Index: sources_pkey.
SELECT
    s.id,
    s.record_count - sum(c.created)::bigint + sum(c.deleted)::bigint AS record_count,
    sum(c.created)::bigint AS created,
    sum(c.updated)::bigint AS updated,
    sum(c.deleted)::bigint AS deleted
FROM source_changes AS c
JOIN sources AS s
    ON s.organization_id = ANY(%(organization_ids)s)
    AND s.organization_id = c.organization_id
    AND (s.id = c.source_id OR s.chat_id = c.chat_id)
WHERE s.included AND s.external
GROUP BY s.organization_id, s.id, s.record_count
ORDER BY s.id;
