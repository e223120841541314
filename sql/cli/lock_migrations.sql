-- Holds back every other migration of this database until the transaction ends. Not a
-- row of a table: the lock of a killed process goes with its connection.
-- Parameters: none.
-- Row: one, of no interest.
SELECT
    set_config('statement_timeout', '0', true),
    set_config('lock_timeout', '0', true),
    pg_advisory_xact_lock(hashtextextended('orgctx.migrations', 0));
