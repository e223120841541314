-- Reads the position of a server in the write-ahead log: what a primary has written, or what a
-- replica has replayed.
-- Parameters: none.
-- Row: (cluster bigint, database oid: both equal for a primary and its replicas, started_at
-- timestamptz: of the server's process, is_replica boolean, bytes bigint).
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
