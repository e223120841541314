-- Lists the commands of which an organization has audit records.
-- Parameters: organization_id uuid.
-- Rows: (command text), by name.
-- Index: audit_pkey.
SELECT DISTINCT command
FROM audit
WHERE organization_id = %(organization_id)s
ORDER BY command;
