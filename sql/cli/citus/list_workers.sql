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
