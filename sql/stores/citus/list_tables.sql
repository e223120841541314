-- Lists the distributed tables and how each is distributed.
-- Parameters: none.
-- Rows: (name text, kind text: distributed or reference, shard_count bigint), by kind and name.
SELECT table_name::text AS name, citus_table_type AS kind, shard_count
FROM citus_tables
WHERE citus_table_type IN ('distributed', 'reference')
ORDER BY citus_table_type, table_name::text;
