-- Releases the lock of cli/lock_sync at once. If the connection were only closed, the server might
-- notice it late.
-- Parameters: organization_id uuid, source_id text.
-- Row: not used.
SELECT
    pg_advisory_unlock(
        hashtextextended(concat('orgctx.sync ', %(organization_id)s::uuid, %(source_id)s::text), 0)
    );
