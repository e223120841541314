-- name: add_member
-- Adds a member to an organization.
-- Parameters: organization_id uuid, id uuid, display_name text, role text.
INSERT INTO members (organization_id, user_id, display_name, role)
VALUES (%(organization_id)s, %(id)s, %(display_name)s, %(role)s);

-- name: lock_member
-- Locks a member of an organization until the transaction ends.
-- Parameters: organization_id uuid, user_id uuid.
-- Rows: (role text), at most one.
-- Index: members_pkey.
SELECT role FROM lock_member(%(organization_id)s, %(user_id)s);

-- name: list_members
-- Lists the members of one organization, including removed ones.
-- Parameters: organization_id uuid; id uuid, name text: the display name, ignoring case, each null for all.
-- Rows: (id uuid, display_name text or null, role text, active_key_count bigint), by role (owners,
--   admins, members, removed), then by name and id.
-- Index: members_pkey, api_keys_pkey.
SELECT
    m.user_id AS id, m.display_name, m.role,
    (
        SELECT count(*)
        FROM api_keys AS k
        WHERE k.organization_id = m.organization_id
            AND k.issued_by = m.user_id
            AND k.revoked_at IS NULL
            AND k.expires_at > now()
            AND m.role IN ('owner', 'admin')
    ) AS active_key_count
FROM members AS m
WHERE m.organization_id = %(organization_id)s
    AND (%(id)s::uuid IS NULL OR m.user_id = %(id)s)
    AND (%(name)s::text IS NULL OR lower(m.display_name) = lower(%(name)s))
ORDER BY
    array_position(ARRAY['owner', 'admin', 'member', 'removed'], m.role),
    lower(m.display_name), m.user_id;

-- name: change_role
-- Changes the role of a member.
-- Parameters: organization_id uuid, user_id uuid, role text: owner, admin, member or removed.
-- Index: members_pkey.
UPDATE members SET role = %(role)s
WHERE organization_id = %(organization_id)s AND user_id = %(user_id)s;

-- name: add_identity
-- Links an identity to a member.
-- Parameters: organization_id uuid, kind text: email or subject, value text, user_id uuid.
INSERT INTO member_identities (organization_id, kind, value, user_id)
VALUES (%(organization_id)s, %(kind)s, %(value)s, %(user_id)s);

-- name: list_identities
-- Lists the identities of the members of one organization.
-- Parameters: organization_id uuid.
-- Rows: (id uuid, display_name text or null, role text, kind text, value text), by name, kind, value.
-- Index: member_identities_pkey, members_pkey.
SELECT m.user_id AS id, m.display_name, m.role, i.kind, i.value
FROM member_identities AS i
INNER JOIN members AS m USING (organization_id, user_id)
WHERE i.organization_id = %(organization_id)s
ORDER BY lower(m.display_name), m.user_id, i.kind, i.value;

-- name: remove_identity
-- Removes an identity.
-- Parameters: organization_id uuid, kind text, value text.
-- Index: member_identities_pkey.
DELETE FROM member_identities
WHERE organization_id = %(organization_id)s AND kind = %(kind)s AND value = %(value)s;

-- name: sign_out
-- Ends the sessions and links of a member that began before.
-- Parameters: organization_id uuid, user_id uuid.
-- Index: members_pkey.
UPDATE members SET signed_out_at = statement_timestamp()
WHERE organization_id = %(organization_id)s AND user_id = %(user_id)s::uuid;
