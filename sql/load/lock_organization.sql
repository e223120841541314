-- One load of an organization at a time, for a deletion that is carried out at once.
-- Parameters: organization_id uuid.
-- Rows: of no interest.
SELECT pg_advisory_xact_lock(hashtextextended(%(organization_id)s::uuid::text, 0));
