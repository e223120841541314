-- Who a key belongs to, and which sources are approved at this moment.
-- Parameters: key_hash bytea.
-- Rows: none unless the key is usable; otherwise the key and its organization with
-- one included and approved source each, or once with nulls where there is none; in
-- no order: to sort them here costs four times what it costs the reader.
-- Index: api_keys_by_hash, sources_pkey.
SELECT
    k.key_id, k.access, k.scopes, k.plan, k.verified_holding,
    k.organization_id, k.display_name, k.slug, k.created_at, k.updated_at, k.preview,
    s.id, s.kind, s.label, s.description, s.href, s.status, s.updated_at,
    s.stale_after_seconds, s.account, s.record_count, s.chat_id, now() AS read_at
FROM find_key(%(key_hash)s) AS k
LEFT JOIN sources AS s
    ON s.organization_id = k.organization_id AND s.included AND s.external;
