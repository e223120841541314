-- name: list_migrations
-- Lists the migrations that were applied to this database.
-- Rows: (migration_id text, checksum text: the SHA-256 of its file).
SELECT migration_id, checksum
FROM migrations;

-- name: read_distribution
-- Reads whether Citus can distribute this database over several servers.
-- Row: (is_distributed boolean).
SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS is_distributed;

-- name: isolate_transaction
-- Makes all statements of a transaction see the same snapshot. Must be the first statement of each
-- transaction, because behind a pooler, settings of the connection do not last.
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;

-- name: limit_search
-- Limits the time of each later statement of the transaction, which searches texts.
-- Parameters: statement_timeout text with its unit.
SELECT set_config('statement_timeout', %(statement_timeout)s, true);
