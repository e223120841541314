-- Reads one knowledge item and the chunks of its content that overlap a segment.
-- Parameters: organization_id uuid, id text, source_ids text[]; in UTF-16 code units:
--   segment_start, segment_end (exclusive), and first_chunk: a lower bound of first_unit for the
--   index, because chunks that begin earlier end before segment_start.
-- Rows: none if there is no such item; else the columns of KnowledgeSummary,
--   content_format, source_id, content_units, first_unit, content. One row for each chunk, in
--   order; one row with null chunk columns if no chunk overlaps the segment.
-- Index: knowledge_pkey, a range of knowledge_chunks_pkey.
SELECT
    k.id, k.title, k.kind, k.source, k.preview, k.visibility, k.archived,
    k.source_status, k.source_label, k.source_href, k.created_at, k.updated_at,
    k.content_format, k.source_id, k.content_units, c.first_unit, c.content
FROM knowledge AS k
LEFT JOIN knowledge_chunks AS c
    ON c.organization_id = k.organization_id
    AND c.knowledge_id = k.id
    AND c.first_unit >= %(first_chunk)s
    AND c.first_unit < %(segment_end)s
    AND c.first_unit + c.unit_count > %(segment_start)s
WHERE k.organization_id = %(organization_id)s
    AND k.id = %(id)s
    AND k.source_id = ANY(%(source_ids)s::text[])
    AND NOT EXISTS (
        SELECT FROM knowledge_suppressions AS s
        WHERE s.organization_id = k.organization_id AND s.knowledge_id = k.id
    )
ORDER BY c.first_unit;
