-- Sorts into the index what inserts left waiting, which every search would read.
-- Parameters: none.
-- Rows: of no interest.
SELECT gin_clean_pending_list('knowledge_chunks_search');
