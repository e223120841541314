-- Lists the migrations that were applied to this database.
-- Parameters: none.
-- Rows: (migration_id text).
SELECT migration_id FROM _yoyo_migration;
