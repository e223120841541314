-- Searches read the newest records of each source that a key may read, and no others.

-- Loads and decisions wait until this ends, as in 023_knowledge_search; the service reads on.
LOCK TABLE organization_locks IN SHARE MODE;

CREATE INDEX telegram_search_by_chat ON telegram_search (organization_id, chat_id, sent_at DESC);
CREATE INDEX people_by_source ON people (organization_id, source_id, last_active_at DESC);
CREATE INDEX assets_by_source_and_time ON assets (organization_id, source_id, updated_at DESC);
-- knowledge/list_knowledge counts and paginates with this index, then reads only the rows of a page.
CREATE INDEX knowledge_by_source_and_time ON knowledge (organization_id, source_id, updated_at DESC, id)
    INCLUDE (archived, kind, visibility);
CREATE INDEX x_mentions_by_account_and_author ON x_mentions
    (organization_id, source_id, lower(account), author_id, created_at DESC);

-- The rest blocks reads, for milliseconds, as in 024_brief_locks.
DO $$
BEGIN
    LOOP
        BEGIN
            SET LOCAL lock_timeout = '100ms';
            LOCK TABLE knowledge, telegram_search, people, assets, x_mentions;
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(1);
        END;
    END LOOP;
END
$$;

-- The indexes above, and x_mentions_by_account, begin with the same columns. Citus drops one index of
-- a distributed table at a time.
DROP INDEX telegram_search_by_time;
DROP INDEX assets_by_source;
DROP INDEX assets_by_time;
DROP INDEX knowledge_by_source;
DROP INDEX knowledge_by_time;
DROP INDEX x_mentions_by_author;
DROP INDEX x_mentions_by_source;
DROP INDEX x_mentions_by_time;
