-- Changes that block all reads of their tables, for milliseconds. Reads wait behind a lock that waits for a
-- load or a dump, so this gives up soon and tries again. It takes all locks at once, because a search
-- reads these tables in another order.
DO $$
BEGIN
    LOOP
        BEGIN
            SET LOCAL lock_timeout = '100ms';
            LOCK TABLE sources, knowledge, knowledge_chunks, telegram_search, people, assets, x_mentions;
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(1);
        END;
    END LOOP;
END
$$;

-- When a load last changed a source or a record of it; null before the first such load.
-- An approval compares it, so that it approves what was previewed.
ALTER TABLE sources ADD COLUMN loaded_at timestamptz;

-- Only the previous release reads the tokens of chunks: with this one, each is a candidate for every term.
ALTER TABLE knowledge_chunks
    ALTER COLUMN search_tokens SET DEFAULT array_to_tsvector(ARRAY['too long']);

-- Replaced in 023_knowledge_search.
DROP INDEX
    knowledge_titles, knowledge_chunks_search, telegram_search_terms, people_search, assets_search,
    x_mentions_search;
