-- Stores the checksums of migrations that have none yet.
-- Parameters: checksums jsonb: the SHA-256 of each file by the name of the migration.
-- Rows: none.
UPDATE _yoyo_migration AS m
SET checksum = c.value
FROM jsonb_each_text(%(checksums)s::jsonb) AS c
WHERE m.migration_id = c.key AND m.checksum IS NULL;
