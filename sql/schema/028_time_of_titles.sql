-- Blocks reads for milliseconds, as 024_brief_locks does.
DO $$
BEGIN
    LOOP
        BEGIN
            SET LOCAL lock_timeout = '100ms';
            LOCK TABLE knowledge_search;
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(1);
        END;
    END LOOP;
END
$$;

-- Of the title: when the item was updated. Null if it is archived, because searches leave those out.
ALTER TABLE knowledge_search ADD COLUMN updated_at timestamptz;
