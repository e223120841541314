-- Blocks loads of one organization until the transaction ends, as load/lock_organizations does,
-- so that derived data covers all of its records.
-- Parameters: organization_id uuid.
-- Row: one, to be ignored.
SELECT pg_advisory_xact_lock(hashtextextended((%(organization_id)s::uuid)::text, 0));
