-- Creates {staging}, which holds the staged records of one type in some {columns} of {table}.
-- Parameters: none.
-- Rows: none.
CREATE TEMPORARY TABLE {staging} ON COMMIT DROP AS
SELECT r.*, {columns} FROM staged_records AS r CROSS JOIN {table} WITH NO DATA;
ALTER TABLE {staging} INHERIT staged_records;
