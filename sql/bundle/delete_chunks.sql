-- Deletes the chunks of the knowledge items in changed_knowledge whose content changed, their search
-- tokens, and those of titles. The load then stores new ones. Search tokens of other chunks get the key of
-- their source, which may have changed.
-- Parameters: organization_ids uuid[]: some organizations of the stream.
-- Rows: none.
WITH chunks AS (
    DELETE FROM knowledge_chunks AS c
    USING changed_knowledge AS k
    WHERE c.organization_id = ANY(%(organization_ids)s)
        AND k.has_new_content
        AND c.organization_id = k.organization_id
        AND c.knowledge_id = k.id
),
moved AS (
    UPDATE knowledge_search AS f
    SET
        source_id = k.source_id,
        tokens = rekeyed_tokens(search_key(k.organization_id, k.source_id), f.tokens)
    FROM changed_knowledge AS c
    JOIN knowledge AS k
        ON k.organization_id = ANY(%(organization_ids)s)
        AND k.organization_id = c.organization_id AND k.id = c.id
    WHERE f.organization_id = ANY(%(organization_ids)s)
        AND NOT c.has_new_content
        AND f.organization_id = c.organization_id
        AND f.knowledge_id = c.id
        AND f.first_unit >= 0
        -- It is empty while the item is suppressed.
        AND f.source_id NOT IN ('', k.source_id)
)
DELETE FROM knowledge_search AS f
USING changed_knowledge AS k
WHERE f.organization_id = ANY(%(organization_ids)s)
    AND (k.has_new_content OR f.first_unit = -1)
    AND f.organization_id = k.organization_id
    AND f.knowledge_id = k.id;
