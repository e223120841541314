-- Reads whether Citus can distribute this database over several servers.
-- Parameters: none.
-- Row: (is_distributed boolean).
SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS is_distributed;
