-- Stores the record counts of sources that bundle/count_records returned.
-- Parameters: organization_id uuid; source_ids text[], record_counts bigint[] and chat_ids uuid[]:
--   arrays of equal length; chat_ids may contain nulls.
-- Rows: none.
-- Index: sources_pkey.
UPDATE sources AS s
SET record_count = c.record_count, chat_id = c.chat_id
FROM unnest(%(source_ids)s::text[], %(record_counts)s::bigint[], %(chat_ids)s::uuid[])
    AS c (id, record_count, chat_id)
WHERE s.organization_id = %(organization_id)s
    AND s.id = c.id
    AND (s.record_count, s.chat_id) IS DISTINCT FROM (c.record_count, c.chat_id);
