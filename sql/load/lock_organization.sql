-- Locks an organization against other loads, for a deletion that is not staged.
-- Parameters: organization_id uuid.
-- Rows: to be ignored.
SELECT pg_advisory_xact_lock(hashtextextended(%(organization_id)s::uuid::text, 0));
