-- Holds back loads of one organization until the transaction ends, as load/lock_organizations
-- does, so that what is derived from its records is derived from all of them.
-- Parameters: organization_id uuid.
-- Row: one, of no interest.
SELECT pg_advisory_xact_lock(hashtextextended((%(organization_id)s::uuid)::text, 0));
