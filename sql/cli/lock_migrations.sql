-- Blocks every other migration of this database until the transaction ends. An advisory lock
-- ends with its connection, even if the process was killed.
-- Parameters: none.
-- Row: one, not used.
SELECT
    set_config('statement_timeout', '0', true),
    set_config('lock_timeout', '0', true),
    pg_advisory_xact_lock(hashtextextended('orgctx.migrations', 0));
