-- Empties the staging tables of every record type. Keeps the list of touched records.
-- Parameters: none.
-- Rows: none.
TRUNCATE staged_records, staged_chunks, changed_knowledge, stored_contents, message_counts;
