-- Releases the lock of cli/lock_sync. A server may notice only later that a connection was closed.
-- Parameters: organization_id uuid, source_id text.
-- Row: one, not used.
SELECT
    pg_advisory_unlock(
        hashtextextended(concat('orgctx.sync ', %(organization_id)s::uuid, %(source_id)s::text), 0)
    );
