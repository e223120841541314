-- Finds the last decision about one of some objects of an organization.
-- Parameters: organization_id uuid, ids text[]: the ids of the objects.
-- Rows: (sequence bigint, decided_by uuid, name text or null: the name of that member, at timestamptz, command text),
-- at most one.
-- Index: audit_pkey, backwards until a record names an object.
SELECT a.sequence, a.decided_by, m.display_name AS name, a.at, a.command
FROM audit AS a
LEFT JOIN members AS m
    ON m.organization_id = a.organization_id AND m.user_id = a.decided_by
WHERE a.organization_id = %(organization_id)s
    AND a.decided_by IS NOT NULL
    AND (a.before ?| %(ids)s::text[] OR a.after ?| %(ids)s::text[])
ORDER BY a.sequence DESC
LIMIT 1;
