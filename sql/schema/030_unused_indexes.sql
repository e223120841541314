-- Blocks reads for milliseconds, as 024_brief_locks does.
DO $$
BEGIN
    LOOP
        BEGIN
            SET LOCAL lock_timeout = '100ms';
            LOCK TABLE knowledge, telegram_search, assets, x_mentions;
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(1);
        END;
    END LOOP;
END
$$;

-- Replaced in 029_newest_of_sources. x_mentions_by_account begins with the columns of x_mentions_by_source.
-- Citus drops one index of a distributed table at a time.
DROP INDEX telegram_search_by_time;
DROP INDEX assets_by_source;
DROP INDEX assets_by_time;
DROP INDEX knowledge_by_source;
DROP INDEX knowledge_by_time;
DROP INDEX x_mentions_by_author;
DROP INDEX x_mentions_by_source;
DROP INDEX x_mentions_by_time;
