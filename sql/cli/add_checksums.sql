-- Gives the list of applied migrations the checksums of their files. Nothing is locked if it has them.
-- Parameters: none.
-- Rows: none.
DO $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM pg_attribute
        WHERE attrelid = '_yoyo_migration'::regclass AND attname = 'checksum'
    ) THEN
        ALTER TABLE _yoyo_migration ADD COLUMN checksum text;
    END IF;
END
$$;
