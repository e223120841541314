-- Lists the keys of one organization, without the hashes of their secrets.
-- Parameters: organization_id uuid; id uuid, state text and expiring_days integer, each null for all:
-- expiring_days are active keys that expire within this number of days; except_ids uuid[]: keys to
-- leave out, or null; row_offset bigint: how many rows to leave out; row_limit bigint, or null for all.
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
    AND (%(except_ids)s::uuid[] IS NULL OR id <> ALL(%(except_ids)s))
ORDER BY created_at DESC, id
LIMIT %(row_limit)s OFFSET %(row_offset)s;
