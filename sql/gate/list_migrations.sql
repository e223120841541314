-- The migrations that this database has.
-- Parameters: none.
-- Rows: (migration_id text).
SELECT migration_id FROM _yoyo_migration;
