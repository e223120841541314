-- Holds the knowledge items in changed_knowledge that are new in a source that holds new documents, or whose
-- new text waits in such an item, or has a secret, unless a member has released this text. Ends the holds
-- for secrets that are gone. Stores the digests of the new texts of suppressed items.
-- Parameters: organization_ids uuid[]: some organizations of the stream.
-- Rows: (organization_id uuid, id text, source_id text, reason text, is_held boolean: whether a hold
--   began, and not ended), unordered.
-- Index: knowledge_pkey, knowledge_suppressions_pkey, knowledge_releases_pkey.
WITH judged AS MATERIALIZED (
    SELECT
        k.organization_id, k.id, k.source_id, k.text_digest, p.kind, p.content_offset,
        t.holds_new AND c.is_new_in_source AS is_new,
        c.has_new_content AND r.version IS NULL AS may_wait,
        p.kind IS NOT NULL AND r.version IS NULL AS has_secret
    FROM {changed_items}
    JOIN sources AS t ON t.organization_id = k.organization_id AND t.id = k.source_id
    LEFT JOIN staged_secrets AS p ON p.sequence = c.sequence
    LEFT JOIN knowledge_releases AS r
        ON r.organization_id = ANY(%(organization_ids)s)
        AND r.organization_id = k.organization_id
        AND r.knowledge_id = k.id
        AND r.version = text_version(k.title, k.content_digest)
),
waiting AS MATERIALIZED (
    SELECT organization_id, waiting_digest AS digest FROM stored_contents
    UNION
    SELECT organization_id, text_digest FROM judged WHERE is_new
    UNION
    SELECT k.organization_id, k.text_digest
    FROM knowledge_suppressions AS s
    JOIN knowledge AS k
        ON k.organization_id = ANY(%(organization_ids)s)
        AND k.organization_id = s.organization_id AND k.id = s.held_id
    WHERE s.organization_id = ANY(%(organization_ids)s) AND s.reason = 'new'
),
ended AS (
    DELETE FROM knowledge_suppressions AS s
    USING judged AS j
    WHERE s.organization_id = ANY(%(organization_ids)s)
        AND s.organization_id = j.organization_id
        AND s.knowledge_id = j.id
        AND s.reason = 'secret'
        AND NOT j.has_secret  -- begun may run before or after: PostgreSQL does not say
    RETURNING s.organization_id, s.knowledge_id, s.reason
),
begun AS (
    INSERT INTO knowledge_suppressions (organization_id, knowledge_id, reason, detail, detail_offset)
    SELECT organization_id, id, 'new', NULL, NULL
    FROM judged
    WHERE is_new
        OR may_wait AND (organization_id, text_digest) IN (SELECT organization_id, digest FROM waiting)
    UNION ALL
    SELECT organization_id, id, 'secret', kind, content_offset FROM judged WHERE has_secret
    ON CONFLICT (organization_id, knowledge_id, reason) DO UPDATE
    SET detail = excluded.detail, detail_offset = excluded.detail_offset
    RETURNING organization_id, knowledge_id, reason, (xmax = 0) AS is_held  -- an update sets xmax
),
followed AS (
    UPDATE knowledge_suppressions AS s
    SET last_digest = j.text_digest
    FROM judged AS j
    WHERE s.organization_id = ANY(%(organization_ids)s)
        AND s.organization_id = j.organization_id
        AND s.knowledge_id = j.id
        AND s.reason = 'suppressed'
)
SELECT j.organization_id, j.id, j.source_id, h.reason, h.is_held
FROM (
    SELECT * FROM begun WHERE is_held
    UNION ALL
    SELECT organization_id, knowledge_id, reason, false FROM ended
) AS h
JOIN judged AS j ON j.organization_id = h.organization_id AND j.id = h.knowledge_id;
