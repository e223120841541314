-- name: lock_loads
-- Lets one load at a time change the tables of a cluster, until the transaction ends. Every load
-- writes reference tables, which Citus locks as a whole, and two loads would deadlock there.
SELECT pg_advisory_xact_lock(hashtext('orgctx loads'));

-- name: clean_pending_list
-- Runs bundle/clean_pending_list on every server, for each of its shards.
-- Rows: (success boolean, result text: the number of pages that were moved into the index), one for
--   each server. The caller ignores them: where it failed, searches scan the pending list.
SELECT success, result
FROM run_command_on_all_nodes($$
    SELECT coalesce(sum(gin_clean_pending_list(('knowledge_search_tokens_' || p.shardid)::regclass)), 0)
    FROM pg_dist_shard AS s
    JOIN pg_dist_placement AS p USING (shardid)
    WHERE s.logicalrelid = 'knowledge_search'::regclass
        AND p.groupid = (SELECT groupid FROM pg_dist_local_group)
$$, parallel := true);
