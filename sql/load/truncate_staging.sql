-- Empties the staging tables of every record type; keeps the notes of touched records.
-- Parameters: none.
-- Rows: none.
TRUNCATE staged_records, staged_chunks, staged_pieces, changed_knowledge, message_counts;
