-- name: ask_coordinator
-- Runs statements that read only reference tables, which the coordinator also has (see
-- cli/citus/create_run_on_shard). The service appends the names and types of their columns in
-- parentheses.
-- Parameters: names and statements text[]; parameters text: a JSON array, see run_on_shard.
-- Rows: the rows of the statements.
SELECT rows.*
FROM run_on_shard(
    NULL, %(names)s::text[], %(statements)s::text[], %(parameters)s::jsonb
) AS rows

-- name: ask_shard
-- Runs statements of an organization on the server that stores its rows (see
-- cli/citus/create_run_on_shard). The service appends the names and types of their columns in
-- parentheses. Citus runs this on the server of the organization, because it reads the distributed
-- table `tokens`. The table may have no row of the organization; count(*) always returns one, so
-- the function is called exactly once.
-- Parameters: organization_id uuid; names and statements text[]; parameters text: a JSON array, see
--   run_on_shard.
-- Rows: the rows of the statements.
-- Index: tokens_pkey.
SELECT rows.*
FROM (
    SELECT count(*) FROM tokens AS t WHERE t.organization_id = %(organization_id)s
) AS place
CROSS JOIN LATERAL run_on_shard(
    %(organization_id)s, %(names)s::text[], %(statements)s::text[], %(parameters)s::jsonb
) AS rows

-- name: check_worker
-- Sends a query from the coordinator to a worker. The setting limits a connection attempt.
-- Parameters: host text, port integer.
-- Row: (is_reachable boolean).
SELECT citus_check_connection_to_node(%(host)s::text, %(port)s::integer) AS is_reachable
FROM (SELECT set_config('citus.node_connection_timeout', '1000', true) AS timeout) AS s
WHERE s.timeout IS NOT NULL;

-- name: list_tables
-- Lists the distributed tables and how each is distributed.
-- Rows: (name text, kind text: distributed or reference, shard_count bigint), by kind and name.
SELECT table_name::text AS name, citus_table_type AS kind, shard_count
FROM citus_tables
WHERE citus_table_type IN ('distributed', 'reference')
ORDER BY citus_table_type, table_name::text;

-- name: list_workers
-- Lists the servers of the cluster besides the coordinator.
-- Rows: (host text, port integer), by age.
SELECT nodename AS host, nodeport AS port
FROM pg_dist_node
WHERE groupid <> 0 AND isactive AND noderole = 'primary'
ORDER BY nodeid;
