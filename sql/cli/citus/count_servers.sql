-- Counts the servers of the cluster that may store shards.
-- Parameters: none.
-- Row: (server_count bigint).
SELECT count(*) AS server_count FROM pg_dist_node WHERE shouldhaveshards AND isactive;
