-- Blocks loads of one organization until the transaction ends, as bundle/lock_organizations does,
-- so that data which is derived meanwhile includes all records of the organization.
-- Parameters: organization_id uuid.
-- Rows: none.
INSERT INTO organization_locks (organization_id) VALUES (%(organization_id)s)
ON CONFLICT (organization_id) DO UPDATE SET organization_id = excluded.organization_id;
