-- name: find_key
-- Finds a key. The rows of two calls are equal, except for `now`, only if the key and all data that it
-- may read are unchanged: every transaction that changes what keys read sets a new version.
-- Parameters: key_hash bytea.
-- Row: none if the key is unknown; else (key_id uuid, organization_id uuid, access text: the reason if
--   the key is not usable (revoked, expired or ineligible issuer), scopes text[], limited_to text: a
--   digest of the sources that the key is limited to, or null, version uuid: of the organization's
--   data, now float: the server's time in seconds of the Unix epoch).
-- Index: api_keys_by_hash.
SELECT
    k.key_id, k.organization_id, k.access, k.scopes, md5(k.source_ids::text) AS limited_to, k.version,
    extract(epoch FROM now())::float AS now
FROM find_caller(%(key_hash)s) AS k;

-- name: read_caller
-- Reads the organization of a usable key, and the sources that the key may read now. These are included
-- and approved, and the key is either unlimited or limited to them. They are unchanged as long as
-- gate/find_key returns an equal row, so a request whose key is cached does not read them.
-- Parameters: key_hash bytea; access text: api or mcp, the interface that is asked.
-- Rows: none if the key is not usable there. Otherwise one row for the organization, with null in the columns
--   of a source, and one for each source, with null in those of the organization. They are unordered,
--   because the service sorts them in a quarter of the time.
-- Index: api_keys_by_hash, sources_pkey. LIMIT 1 corrects the planner's estimate: it expects 1,000
--   rows from a function, and would therefore scan the sources of all organizations.
WITH k AS MATERIALIZED (
    SELECT * FROM find_caller(%(key_hash)s) WHERE access IN (%(access)s, 'both') LIMIT 1
)
SELECT
    k.plan, k.verified_holding,
    k.organization_id, k.display_name, k.slug, k.created_at, k.updated_at, k.preview,
    NULL AS id, NULL AS kind, NULL AS label, NULL AS href, NULL AS status,
    NULL AS source_updated_at, NULL AS stale_after_seconds, NULL AS account,
    NULL AS record_count, NULL AS chat_id
FROM k
UNION ALL
SELECT
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
    s.id, s.kind, s.label, s.href, s.status, s.updated_at, s.stale_after_seconds, s.account,
    s.record_count, s.chat_id
FROM k
JOIN sources AS s
    ON s.organization_id = k.organization_id AND s.included AND s.external
    AND (k.source_ids IS NULL OR s.id = ANY(k.source_ids));
