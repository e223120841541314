-- name: find_identity
-- Finds the owners and admins with this identity, at most one for each organization, at most 100.
-- Parameters: subject text: issuer, `#` and subject, email text or null: in lower case, verified.
-- Rows: (organization_id uuid, organization_name text, slug text, user_id uuid,
--   now timestamptz).
SELECT organization_id, organization_name, slug, user_id, now() AS now
FROM find_identity(%(subject)s::text, %(email)s::text);

-- name: read_member
-- Reads who signed in, or was invited, at a time, and the name of the organization. No row if the
-- member is not an owner or admin, has signed out since, or if it was too long ago.
-- Parameters: organization_id uuid, user_id uuid, at timestamptz, seconds integer.
-- Rows: (display_name text or null, role text, organization_name text, slug text, now timestamptz),
--   at most one.
-- Index: members_pkey, organizations_pkey.
SELECT m.display_name, m.role, o.display_name AS organization_name, o.slug, now() AS now
FROM members AS m
INNER JOIN organizations AS o USING (organization_id)
WHERE m.organization_id = %(organization_id)s
    AND m.user_id = %(user_id)s::uuid
    AND m.role IN ('owner', 'admin')
    AND %(at)s::timestamptz > coalesce(m.signed_out_at, '-infinity')
    AND %(at)s::timestamptz > now() - %(seconds)s::integer * interval '1 second';

-- name: read_key_hash
-- Reads the hash of a key, by which the gate finds it, and what people recognize it by.
-- Parameters: organization_id uuid, id uuid.
-- Rows: (key_hash bytea, hint text, name text or null, access text, scopes text[]),
--   at most one.
-- Index: api_keys_pkey.
SELECT key_hash, hint, name, access, scopes
FROM api_keys
WHERE organization_id = %(organization_id)s AND id = %(id)s;

-- name: read_signing_secret
-- Reads the secret of which the desk makes the key of its sessions and links.
-- Row: (secret text, now timestamptz).
SELECT secret, now() AS now FROM desk_signing_secret;
