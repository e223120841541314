-- Reads the position of a server in the write-ahead log: up to where a primary has written it, or a
-- replica has replayed it.
-- Parameters: none.
-- Row: (cluster bigint: the system identifier, database oid, started_at timestamptz: when the
--   server started, is_replica boolean, bytes bigint: the position). A primary and its replicas
--   have the same cluster and database.
SELECT
    (SELECT system_identifier FROM pg_control_system()) AS cluster,
    (SELECT oid FROM pg_database WHERE datname = current_database()) AS database,
    pg_postmaster_start_time() AS started_at,
    pg_is_in_recovery() AS is_replica,
    coalesce(
        CASE
            WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
            ELSE pg_current_wal_flush_lsn()
        END - '0/0', 0
    )::bigint AS bytes;
