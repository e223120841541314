-- Lists the servers of the cluster besides the coordinator.
-- Parameters: none.
-- Rows: (host text, port integer), by age.
SELECT nodename AS host, nodeport AS port
FROM pg_dist_node
WHERE groupid <> 0 AND isactive AND noderole = 'primary'
ORDER BY nodeid;
