-- Stores the search tokens of the titles of the knowledge items in changed_knowledge, and their times.
-- Parameters: organization_ids uuid[]: some organizations of the stream.
INSERT INTO knowledge_search (organization_id, knowledge_id, first_unit, source_id, updated_at, tokens)
SELECT
    k.organization_id, k.id, -1, f.source_id, CASE WHEN NOT k.archived THEN k.updated_at END,
    coalesce(keyed_text_tokens(k.organization_id, f.source_id, k.title_lower), '')
        || keyed_title_words(search_key(k.organization_id, f.source_id), k.title_lower)
FROM {changed_items}
{with_source_key};
