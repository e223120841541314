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

-- name: list_tables
-- Lists the distributed tables and how each is distributed.
-- Rows: (name text, kind text: distributed or reference, shard_count bigint), by kind and name.
SELECT table_name::text AS name, citus_table_type AS kind, shard_count
FROM citus_tables
WHERE citus_table_type IN ('distributed', 'reference')
ORDER BY citus_table_type, table_name::text;
