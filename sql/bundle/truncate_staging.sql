-- Empties the staging tables of every record type after a merge that more records follow. Keeps the
-- touched_* tables, which hold the ids of changed records until the stream ends.
-- Parameters: none.
-- Rows: none.
TRUNCATE staged_records, emptied;
