-- Who a key belongs to, and which sources are approved at this moment.
-- Parameters: key_hash bytea.
-- Rows: none unless the key is usable; otherwise one of the key and its organization,
-- whose source columns are null, and one of each included and approved source, whose
-- key columns are null; in no order: to sort them here costs four times what it costs
-- the reader, as sending the key with each of them would double the cost of the answer.
-- Nothing in them is the time of day: equal rows mean an equal caller.
-- Index: api_keys_by_hash, sources_pkey.
WITH k AS MATERIALIZED (SELECT * FROM find_key(%(key_hash)s))
SELECT
    k.key_id, k.access, k.scopes, k.plan, k.verified_holding,
    k.organization_id, k.display_name, k.slug, k.created_at, k.updated_at, k.preview,
    NULL AS id, NULL AS kind, NULL AS label, NULL AS description, NULL AS href,
    NULL AS status, NULL AS updated_at, NULL AS stale_after_seconds, NULL AS account,
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
    ON s.organization_id = k.organization_id AND s.included AND s.external;
