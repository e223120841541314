-- Locks the sync of a source until cli/unlock_sync, or until the connection closes, unless another
-- connection holds the lock.
-- Parameters: organization_id uuid, source_id text.
-- Row: (is_locked boolean, started_at timestamptz: the time of the server).
SELECT
    pg_try_advisory_lock(
        hashtextextended(concat('orgctx.sync ', %(organization_id)s::uuid, %(source_id)s::text), 0)
    ) AS is_locked,
    clock_timestamp() AS started_at;
