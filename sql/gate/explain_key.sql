-- Says why a key is not usable, for the log.
-- Parameters: key_hash bytea.
-- Rows: (key_id uuid, organization_id uuid, reason text: revoked, expired or ineligible issuer), at
--   most one; none if the key is unknown.
-- Index: api_keys_by_hash.
SELECT key_id, organization_id, reason FROM explain_key(%(key_hash)s);
