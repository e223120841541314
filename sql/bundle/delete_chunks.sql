-- Deletes the chunks of the knowledge items in changed_knowledge whose content changed, their search
-- tokens, and those of titles. The load then stores new ones. Other search tokens get the key of their
-- source, and those of the words of a document its time, which may have changed.
-- Parameters: organization_ids uuid[]: some organizations of the stream.
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
        -- It is empty while the item is hidden.
        source_id = CASE f.source_id WHEN '' THEN '' ELSE k.source_id END,
        updated_at = CASE WHEN f.first_unit = -2 AND NOT k.archived THEN k.updated_at END,
        tokens = CASE
            WHEN f.source_id IN ('', k.source_id) THEN f.tokens
            ELSE rekeyed_tokens(search_key(k.organization_id, k.source_id), f.tokens)
        END
    FROM {changed_items}
    WHERE f.organization_id = ANY(%(organization_ids)s)
        AND NOT c.has_new_content
        AND f.organization_id = c.organization_id
        AND f.knowledge_id = c.id
        AND f.first_unit <> -1
        AND (
            f.source_id NOT IN ('', k.source_id)
            OR f.first_unit = -2
                AND f.updated_at IS DISTINCT FROM CASE WHEN NOT k.archived THEN k.updated_at END
        )
)
DELETE FROM knowledge_search AS f
USING changed_knowledge AS k
WHERE f.organization_id = ANY(%(organization_ids)s)
    AND (k.has_new_content OR f.first_unit = -1)
    AND f.organization_id = k.organization_id
    AND f.knowledge_id = k.id;
