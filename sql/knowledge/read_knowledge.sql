-- Reads one knowledge item and the chunks of its content that overlap a segment.
-- Parameters: organization_id uuid, id text, source_ids text[]; segment_start and
--   segment_end (exclusive) integer: offsets in UTF-16 code units; first_chunk integer: the least
--   first_unit that a chunk of the segment can have, because earlier chunks end before
--   segment_start. It bounds the range of the index.
-- Rows: no row if there is no such item; else one row for each chunk, in order: the columns of
--   KnowledgeSummary, then content_format, source_id, content_units, first_unit, content. If no
--   chunk overlaps the segment, one row whose first_unit and content are null.
-- Index: knowledge_pkey, a range of knowledge_chunks_pkey.
SELECT
    k.id, k.title, k.kind, k.source, k.preview, k.visibility, k.archived,
    k.source_status, k.source_label, k.source_href, k.created_at, k.updated_at,
    k.content_format, k.source_id, k.content_units, c.first_unit, c.content
-- OFFSET 0: no content of a suppressed item is read, because the time of the answer would tell its words.
FROM (
    SELECT * FROM readable_knowledge AS k
    WHERE k.organization_id = %(organization_id)s
        AND k.id = %(id)s
        AND k.source_id = ANY(%(source_ids)s::text[])
    OFFSET 0
) AS k
LEFT JOIN knowledge_chunks AS c
    ON c.organization_id = %(organization_id)s
    AND c.knowledge_id = k.id
    AND c.first_unit >= %(first_chunk)s
    AND c.first_unit < %(segment_end)s
    AND c.first_unit + c.unit_count > %(segment_start)s
ORDER BY c.first_unit;
