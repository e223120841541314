-- Lists the members of one organization, including removed ones.
-- Parameters: organization_id uuid.
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
ORDER BY
    array_position(ARRAY['owner', 'admin', 'member', 'removed'], m.role),
    lower(m.display_name), m.user_id;
