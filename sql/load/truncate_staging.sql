-- Empties what was merged, of every record type; what was touched stays noted.
-- Parameters: none.
-- Rows: none.
TRUNCATE staged_records, staged_chunks, staged_pieces, changed_knowledge, message_counts;
