-- name: delete_chunks
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

-- name: add_titles
-- Stores the search tokens of the titles of the knowledge items in changed_knowledge, and their times.
-- Parameters: organization_ids uuid[]: some organizations of the stream.
INSERT INTO knowledge_search (organization_id, knowledge_id, first_unit, source_id, updated_at, tokens)
SELECT
    k.organization_id, k.id, -1, f.source_id, CASE WHEN NOT k.archived THEN k.updated_at END,
    coalesce(keyed_text_tokens(k.organization_id, f.source_id, k.title_lower), '')
        || keyed_title_words(search_key(k.organization_id, f.source_id), k.title_lower)
FROM {changed_items}
{with_source_key};

-- name: list_changed_chunks
-- Lists the staged chunks of the knowledge items in changed_knowledge whose content changed. PostgreSQL
-- folds them, because it does so with search terms too.
-- Parameters: organization_ids uuid[]: some organizations of the stream.
-- Rows: (organization_id uuid, id text: the knowledge item, first_unit integer, source_id text: empty if
--   the item is hidden, key text: of the source, for the tokens, updated_at bytea: a timestamptz in binary
--   form, null if the item is archived, content_units integer: of the item, search_text text: the folded
--   text, unit_count integer, content, overlap text), unordered.
WITH items AS MATERIALIZED (
    SELECT
        k.organization_id, k.id, c.sequence, f.source_id,
        search_key(k.organization_id, f.source_id) AS key,
        CASE WHEN NOT k.archived THEN timestamptz_send(k.updated_at) END AS updated_at, k.content_units
    FROM {changed_items}
    {with_source_key}
    WHERE c.has_new_content
)
SELECT
    i.organization_id, i.id, s.first_unit, i.source_id, i.key, i.updated_at, i.content_units,
    fold_text(s.content || s.overlap) AS search_text, s.unit_count, s.content, s.overlap
FROM items AS i
JOIN staged_chunks AS s ON s.sequence = i.sequence;
