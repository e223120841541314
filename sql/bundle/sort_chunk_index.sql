-- Moves the entries of the pending list into the GIN index of documents. Until then, every search scans
-- the pending list.
SELECT gin_clean_pending_list('knowledge_search_tokens');
