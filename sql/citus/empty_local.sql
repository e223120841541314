-- Truncates the coordinator's own copies of tables whose rows are now in shards, except those that
-- a trigger protects. Nobody can read these copies.
-- Parameters: none.
-- Rows: not used.
SELECT truncate_local_data_after_distributing_table(p.logicalrelid)
FROM pg_dist_partition AS p
WHERE pg_relation_size(p.logicalrelid) > 0
    -- Bit 32 of tgtype marks a trigger for TRUNCATE.
    AND NOT EXISTS (
        SELECT FROM pg_trigger AS t
        WHERE t.tgrelid = p.logicalrelid AND NOT t.tgisinternal AND t.tgtype & 32 <> 0
    );
