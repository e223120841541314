-- Truncates the tables that remain on the coordinator after their rows were copied to shards. Citus
-- hides these local rows from every query. Skips tables whose TRUNCATE trigger forbids it.
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
