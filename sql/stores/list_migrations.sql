-- Lists the migrations that were applied to this database.
-- Parameters: none.
-- Rows: (migration_id text, checksum text: the SHA-256 of its file, null if it is not stored yet).
SELECT
    m.migration_id,
    to_jsonb(m) ->> 'checksum' AS checksum
FROM _yoyo_migration AS m;
