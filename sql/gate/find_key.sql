-- Finds the owner of a key, and the sources that it may read now: included, approved, and among those
-- to which the key is limited, if it is.
-- Parameters: key_hash bytea.
-- Rows: no row if the key is unknown. Otherwise one row for the key and its organization, whose
--   source columns are null; its access is the reason (revoked, expired or ineligible issuer) if the
--   key is not usable. If it is, one row for each of these sources, whose key columns are null,
--   because repeating them would double the cost of the result. The rows are in no order, because
--   sorting here costs four times as much as in the service. Only an expired key and an overdue
--   source depend on the current time, so equal rows mean that the caller has not changed.
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
