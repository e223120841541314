-- Searches read the newest records of each source that a key may read, and no others.

-- Loads and decisions wait until this ends, as in 023_knowledge_search; the service reads on.
LOCK TABLE organization_locks IN SHARE MODE;

UPDATE knowledge_search AS f
SET updated_at = k.updated_at
FROM knowledge AS k
WHERE k.organization_id = f.organization_id
    AND k.id = f.knowledge_id
    AND NOT k.archived
    AND f.first_unit = -1;

-- A suppressed item has no source there.
CREATE INDEX knowledge_search_by_time ON knowledge_search (organization_id, source_id, updated_at DESC)
    INCLUDE (knowledge_id) WHERE updated_at IS NOT NULL;
CREATE INDEX telegram_search_by_chat ON telegram_search (organization_id, chat_id, sent_at DESC);
CREATE INDEX people_by_source ON people (organization_id, source_id, last_active_at DESC);
CREATE INDEX assets_by_source_and_time ON assets (organization_id, source_id, updated_at DESC);
CREATE INDEX x_mentions_by_account_and_author ON x_mentions
    (organization_id, source_id, lower(account), author_id, created_at DESC);
-- knowledge/list_knowledge counts and paginates with this index, then reads only the rows of a page.
CREATE INDEX knowledge_by_source_and_time ON knowledge (organization_id, source_id, updated_at DESC, id)
    INCLUDE (archived, kind, visibility);
