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
