-- Finds the last decision about an object of an organization.
-- Parameters: organization_id uuid, id text: the id of the object.
-- Rows: (decided_by uuid, name text or null: the name of that member, at timestamptz, command text),
-- at most one.
-- Index: audit_pkey, backwards until a record names the object.
SELECT a.decided_by, m.display_name AS name, a.at, a.command
FROM audit AS a
LEFT JOIN members AS m
    ON m.organization_id = a.organization_id AND m.user_id = a.decided_by
WHERE a.organization_id = %(organization_id)s
    AND a.decided_by IS NOT NULL
    AND (a.before ? %(id)s::text OR a.after ? %(id)s::text)
ORDER BY a.sequence DESC
LIMIT 1;
