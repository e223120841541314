-- Adds a record to the audit log. One transaction at a time does so, and holds the lock until it
-- ends, so that whoever has read a sequence has also read all lower ones.
-- Parameters: organization_id uuid, decided_by uuid or null, command text, before jsonb, after jsonb,
-- authentication text: how the author was authenticated.
-- Rows: (sequence bigint), one.
WITH ordered AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtext('orgctx audit')))
INSERT INTO audit (organization_id, decided_by, command, before, after, authentication)
SELECT
    %(organization_id)s::uuid, %(decided_by)s::uuid, %(command)s::text, %(before)s::jsonb,
    %(after)s::jsonb, %(authentication)s::text
FROM ordered
RETURNING sequence;
