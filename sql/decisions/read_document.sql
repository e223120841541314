-- Reads one knowledge item, suppressed or not, of any source, and the chunks of its content that
-- overlap a segment.
-- Parameters: organization_id uuid, id text; segment_start and segment_end (exclusive) integer:
-- offsets in UTF-16 code units; first_chunk integer: the least first_unit that a chunk of the segment
-- can have.
-- Rows: no row if it is not stored; else one row for each chunk, in order: (id text, title text, kind
-- text, source_id text, is_approved boolean: whether its source is approved, is_included boolean,
-- is_archived boolean, visibility text, reasons jsonb: why it is hidden, content_format text, created_at and
-- updated_at timestamptz, content_units integer, first_unit integer, content text). If no chunk
-- overlaps the segment, one row whose first_unit and content are null.
-- Index: knowledge_pkey, sources_pkey, knowledge_suppressions_pkey, a range of knowledge_chunks_pkey.
SELECT
    k.id, k.title, k.kind, k.source_id, t.external AS is_approved, t.included AS is_included,
    k.archived AS is_archived, k.visibility,
    (
        SELECT coalesce(jsonb_object_agg(s.reason, jsonb_build_array(s.detail, s.detail_offset)), '{}')
        FROM knowledge_suppressions AS s
        WHERE s.organization_id = %(organization_id)s AND s.knowledge_id = %(id)s
    ) AS reasons,
    k.content_format, k.created_at, k.updated_at, k.content_units, c.first_unit, c.content
FROM knowledge AS k
JOIN sources AS t ON t.organization_id = %(organization_id)s AND t.id = k.source_id
LEFT JOIN knowledge_chunks AS c
    ON c.organization_id = %(organization_id)s
    AND c.knowledge_id = k.id
    AND c.first_unit >= %(first_chunk)s
    AND c.first_unit < %(segment_end)s
    AND c.first_unit + c.unit_count > %(segment_start)s
WHERE k.organization_id = %(organization_id)s AND k.id = %(id)s
ORDER BY c.first_unit;
