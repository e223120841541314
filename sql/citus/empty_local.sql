-- Frees what the coordinator still holds of tables whose rows now lie in shards, but for those that
-- a trigger keeps from being emptied: nobody can read what is left.
-- Parameters: none.
-- Rows: to be ignored.
SELECT truncate_local_data_after_distributing_table(p.logicalrelid)
FROM pg_dist_partition AS p
WHERE pg_relation_size(p.logicalrelid) > 0
    -- 32 of the type: for TRUNCATE.
    AND NOT EXISTS (
        SELECT FROM pg_trigger AS t
        WHERE t.tgrelid = p.logicalrelid AND NOT t.tgisinternal AND t.tgtype & 32 <> 0
    );
