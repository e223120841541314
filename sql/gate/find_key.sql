-- Finds a key, its organization, and the sources that the key may read now. These are included and
-- approved, and the key is either unlimited or limited to them.
-- Parameters: key_hash bytea.
-- Rows: none if the key is unknown. Otherwise one row for the key and its organization, with null in
--   the columns of a source. The access of an unusable key is the reason: revoked, expired or
--   ineligible issuer. A usable key is followed by one row for each source, with null in the columns
--   of the key, because repeating them would double the cost of the result. The rows are unordered,
--   because the service sorts them in a quarter of the time. Equal rows mean an unchanged caller:
--   only access and is_overdue depend on the current time.
-- Index: api_keys_by_hash, sources_pkey. LIMIT 1 corrects the planner's estimate: it expects 1,000
--   rows from a function, and would therefore scan the sources of all organizations.
WITH k AS MATERIALIZED (SELECT * FROM find_caller(%(key_hash)s) LIMIT 1)
SELECT
    k.key_id, k.access, k.scopes, k.plan, k.verified_holding,
    k.organization_id, k.display_name, k.slug, k.created_at, k.updated_at, k.preview,
    NULL AS id, NULL AS kind, NULL AS label, NULL AS description, NULL AS href,
    NULL AS status, NULL AS source_updated_at, NULL AS stale_after_seconds, NULL AS account,
    NULL AS record_count, NULL AS chat_id, NULL AS is_overdue
FROM k
UNION ALL
SELECT
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
    s.id, s.kind, s.label, s.description, s.href,
    s.status, s.updated_at, s.stale_after_seconds, s.account, s.record_count, s.chat_id,
    coalesce(extract(epoch FROM now() - s.updated_at) > s.stale_after_seconds, false)
FROM k
JOIN sources AS s
    ON k.access IN ('api', 'mcp', 'both')
    AND s.organization_id = k.organization_id AND s.included AND s.external
    AND (k.source_ids IS NULL OR s.id = ANY(k.source_ids));
