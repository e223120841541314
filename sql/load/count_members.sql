-- Counts the members that go with an organization that is deleted.
-- Parameters: organization_id uuid.
-- Rows: (count bigint).
-- Index: members_pkey.
SELECT count(*)
FROM members
WHERE organization_id = %(organization_id)s;
