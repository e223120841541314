-- name: issue_key
-- Stores a new key: the hash and the hint of its secret, never the secret itself.
-- Parameters: organization_id uuid, id uuid, key_hash bytea, hint text, name text or null,
-- issued_by uuid, access text, scopes text[], sources text[]: ids of the only sources that it reads, or
-- null for all, days integer: its lifetime.
-- Row: (expires_at timestamptz).
INSERT INTO api_keys (
    organization_id, id, key_hash, hint, name, issued_by, access, scopes, source_ids,
    expires_at
)
VALUES (
    %(organization_id)s, %(id)s, %(key_hash)s, %(hint)s, %(name)s, %(issued_by)s, %(access)s,
    %(scopes)s, %(sources)s, now() + make_interval(hours => 24 * %(days)s)
)
RETURNING expires_at;

-- name: lock_key
-- Locks a key until the transaction ends.
-- Parameters: organization_id uuid, id uuid.
-- Index: api_keys_pkey.
SELECT FROM api_keys WHERE organization_id = %(organization_id)s AND id = %(id)s FOR NO KEY UPDATE;

-- name: list_keys
-- Lists the keys of one organization, without the hashes of their secrets.
-- Parameters: organization_id uuid; id uuid, state text and expiring_days integer, each null for all:
--   expiring_days are active keys that expire within this number of days; row_offset bigint: how many
--   rows to leave out; row_limit bigint, or null for all.
-- Rows: (id uuid, hint text, name text or null, issuer_id uuid, issuer_name text or null, access text,
-- scopes text[], sources text[]: ids of the only sources that it reads, or null for all, state text:
-- active, expired, revoked or ineligible, created_at timestamptz, expires_at timestamptz), newest
-- first.
-- Index: api_keys_pkey, members_pkey.
SELECT *
FROM (
    SELECT
        k.id, k.hint, k.name, k.issued_by AS issuer_id, m.display_name AS issuer_name,
        k.access, k.scopes, k.source_ids AS sources,
        CASE
            WHEN k.revoked_at IS NOT NULL THEN 'revoked'
            WHEN k.expires_at <= now() THEN 'expired'
            WHEN m.role IN ('owner', 'admin') THEN 'active'
            ELSE 'ineligible'
        END AS state,
        k.created_at, k.expires_at
    FROM api_keys AS k
    LEFT JOIN members AS m
        ON m.organization_id = k.organization_id AND m.user_id = k.issued_by
    WHERE k.organization_id = %(organization_id)s
        AND (%(id)s::uuid IS NULL OR k.id = %(id)s)
) AS listed
WHERE (%(state)s::text IS NULL OR state = %(state)s)
    AND (
        %(expiring_days)s::integer IS NULL
        OR (state = 'active' AND expires_at <= now() + make_interval(days => %(expiring_days)s))
    )
ORDER BY created_at DESC, id
LIMIT %(row_limit)s OFFSET %(row_offset)s;

-- name: change_key
-- Changes the name and the rights of a key, and lets it expire sooner; it never expires later than before.
-- Parameters: organization_id uuid, id uuid, name text or null, access text, scopes text[], sources
-- text[]: ids of the only sources that it reads, or null for all, seconds integer: time until it expires,
-- or null to keep it.
-- Row: (name text or null, expires_at timestamptz).
-- Index: api_keys_pkey.
UPDATE api_keys
SET
    name = %(name)s, access = %(access)s, scopes = %(scopes)s, source_ids = %(sources)s,
    -- least ignores nulls.
    expires_at = least(expires_at, now() + make_interval(secs => %(seconds)s::integer))
WHERE organization_id = %(organization_id)s AND id = %(id)s
RETURNING name, expires_at;

-- name: revoke_key
-- Revokes a key permanently. If it is already revoked, changes nothing.
-- Parameters: organization_id uuid, id uuid.
-- Index: api_keys_pkey.
UPDATE api_keys
SET revoked_at = now()
WHERE organization_id = %(organization_id)s AND id = %(id)s AND revoked_at IS NULL;
