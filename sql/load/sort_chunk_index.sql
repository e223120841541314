-- Moves pending entries into the GIN index; otherwise every search would scan them.
-- Parameters: none.
-- Rows: not used.
SELECT gin_clean_pending_list('knowledge_chunks_search');
