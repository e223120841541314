-- Sends a query from the coordinator to a worker. The setting limits a connection attempt.
-- Parameters: host text, port integer.
-- Row: (is_reachable boolean).
SELECT citus_check_connection_to_node(%(host)s::text, %(port)s::integer) AS is_reachable
FROM (SELECT set_config('citus.node_connection_timeout', '1000', true) AS timeout) AS s
WHERE s.timeout IS NOT NULL;
