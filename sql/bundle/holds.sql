-- name: copy_contents
-- Copies the sources and content digests of stored knowledge items that the stream replaces, and the text
-- digests of those that wait because they are new, to stored_contents. Runs before the merge, which needs
-- the copies to see which items are new in their source, which contents changed, and which texts wait.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
-- Index: knowledge_pkey, knowledge_suppressions_pkey.
INSERT INTO stored_contents (organization_id, id, source_id, content_digest, waiting_digest)
SELECT
    k.organization_id, k.id, k.source_id, k.content_digest,
    CASE WHEN s.reason IS NOT NULL THEN k.text_digest END
FROM (SELECT DISTINCT organization_id, id FROM staged_knowledge) AS l
JOIN knowledge AS k ON k.organization_id = l.organization_id AND k.id = l.id
LEFT JOIN knowledge_suppressions AS s
    ON s.organization_id = ANY(%(organization_ids)s)
    AND s.organization_id = k.organization_id AND s.knowledge_id = k.id AND s.reason = 'new'
WHERE k.organization_id = ANY(%(organization_ids)s);

-- name: hold_knowledge
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

-- name: hold_copies
-- Holds the knowledge items that have a text of a suppressed one, unless a member has released this text
-- since. Ends the holds of those that have none any more.
-- Parameters: organization_ids uuid[].
-- Rows: (organization_id uuid, id text, source_id text, reason text, is_held boolean: whether a hold
--   began, and not ended), unordered.
-- Index: knowledge_suppressions_pkey, knowledge_by_text, knowledge_pkey, knowledge_releases_pkey.
WITH copies AS MATERIALIZED (
    SELECT k.organization_id, k.id, k.source_id, min(s.knowledge_id) AS suppressed_id
    FROM knowledge_suppressions AS s
    JOIN knowledge AS k
        ON k.organization_id = ANY(%(organization_ids)s)
        AND k.organization_id = s.organization_id
        AND k.text_digest IN (s.first_digest, s.last_digest)
        AND k.id <> s.knowledge_id
    WHERE s.organization_id = ANY(%(organization_ids)s)
        AND s.reason = 'suppressed'
        AND NOT EXISTS (
            SELECT FROM knowledge_releases AS r
            WHERE r.organization_id = ANY(%(organization_ids)s)
                AND r.organization_id = k.organization_id
                AND r.knowledge_id = k.id
                AND r.version = text_version(k.title, k.content_digest)
                AND r.released_at > s.suppressed_at
        )
    GROUP BY k.organization_id, k.id, k.source_id
),
ended AS (
    DELETE FROM knowledge_suppressions AS s
    WHERE s.organization_id = ANY(%(organization_ids)s)
        AND s.reason = 'same text'
        AND NOT EXISTS (
            SELECT FROM copies AS c
            WHERE c.organization_id = s.organization_id AND c.id = s.knowledge_id
        )
    RETURNING s.organization_id, s.knowledge_id
),
begun AS (
    INSERT INTO knowledge_suppressions (organization_id, knowledge_id, reason, detail)
    SELECT organization_id, id, 'same text', suppressed_id FROM copies
    ON CONFLICT DO NOTHING
    RETURNING organization_id, knowledge_id
)
SELECT c.organization_id, c.id, c.source_id, 'same text' AS reason, true AS is_held
FROM copies AS c
JOIN begun AS b ON b.organization_id = c.organization_id AND b.knowledge_id = c.id
UNION ALL
SELECT k.organization_id, k.id, k.source_id, 'same text', false
FROM ended AS e
JOIN knowledge AS k
    ON k.organization_id = ANY(%(organization_ids)s)
    AND k.organization_id = e.organization_id AND k.id = e.knowledge_id;

-- name: rekey_knowledge
-- Gives the search tokens of knowledge items the key of their source, or of no source, which no search
-- of the service looks up, while they are hidden.
-- Parameters: organization_id uuid, ids text[].
-- Index: knowledge_pkey, knowledge_suppressions_pkey, knowledge_search_pkey.
UPDATE knowledge_search AS f
SET
    source_id = k.source_key,
    tokens = rekeyed_tokens(search_key(f.organization_id, k.source_key), f.tokens)
FROM (
    SELECT
        i.id,
        CASE WHEN EXISTS (
            SELECT FROM knowledge_suppressions AS s
            WHERE s.organization_id = %(organization_id)s AND s.knowledge_id = i.id
        ) THEN '' ELSE i.source_id END AS source_key
    FROM knowledge AS i
    WHERE i.organization_id = %(organization_id)s AND i.id = ANY(%(ids)s::text[])
) AS k
WHERE f.organization_id = %(organization_id)s
    AND f.knowledge_id = k.id
    AND f.source_id <> k.source_key;
