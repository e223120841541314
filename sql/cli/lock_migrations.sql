-- Blocks every other migration of this database until the transaction ends. PostgreSQL releases an
-- advisory lock when the connection closes, even if the process was killed.
-- Parameters: none.
-- Row: not used.
SELECT
    set_config('statement_timeout', '0', true),
    set_config('lock_timeout', '0', true),
    -- Otherwise Citus rejects a grant after an index that it builds on all shards at once.
    set_config('citus.multi_shard_modify_mode', 'sequential', true),
    pg_advisory_xact_lock(hashtextextended('orgctx.migrations', 0));
