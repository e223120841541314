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
