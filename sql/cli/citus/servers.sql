-- name: count_servers
-- Counts the servers of the cluster that may store shards.
-- Row: (server_count bigint).
SELECT count(*) AS server_count FROM pg_dist_node WHERE shouldhaveshards AND isactive;

-- name: empty_local
-- Truncates the tables that remain on the coordinator after their rows were copied to shards. Citus
-- hides these local rows from every query. Skips tables whose TRUNCATE trigger forbids it.
SELECT truncate_local_data_after_distributing_table(p.logicalrelid)
FROM pg_dist_partition AS p
WHERE pg_relation_size(p.logicalrelid) > 0
    -- Bit 32 of tgtype marks a trigger for TRUNCATE.
    AND NOT EXISTS (
        SELECT FROM pg_trigger AS t
        WHERE t.tgrelid = p.logicalrelid AND NOT t.tgisinternal AND t.tgtype & 32 <> 0
    );

-- name: list_workers
-- Lists the servers of the cluster besides the coordinator, and sends a query to each. The setting
-- limits each connection attempt.
-- Rows: (name text: host and port, is_reachable boolean), by age.
SELECT
    n.nodename || ':' || n.nodeport AS name,
    citus_check_connection_to_node(n.nodename, n.nodeport) AS is_reachable
FROM (SELECT set_config('citus.node_connection_timeout', '1000', true) AS timeout OFFSET 0) AS s
CROSS JOIN pg_dist_node AS n
WHERE s.timeout IS NOT NULL AND n.groupid <> 0 AND n.isactive AND n.noderole = 'primary'
ORDER BY n.nodeid;
