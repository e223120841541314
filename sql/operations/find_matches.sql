-- Finds the first match of a term at or after an offset in the content of each of some knowledge
-- items.
-- Parameters: organization_id uuid, source_ids text[], knowledge_ids text[], q text; segment_start
--   and first_chunk integer: as in read_knowledge; least_units integer: shorter contents are left
--   out; chunk_limit bigint: how many chunks of each item are examined.
-- Rows: (id text, match_offset integer: in UTF-16 code units), unordered; no row for an item without
--   a match.
-- Index: knowledge_pkey, a range of knowledge_chunks_pkey.
WITH term AS MATERIALIZED (
    SELECT fold_text(%(q)s::text) AS text, convert_to(fold_text(%(q)s::text), 'UTF8') AS bytes
)
SELECT k.id, found.match_offset
FROM unnest(%(knowledge_ids)s::text[]) AS wanted (id)
-- OFFSET 0: no content of a suppressed item is read, because the time of the answer would tell its words.
CROSS JOIN LATERAL (
    SELECT * FROM readable_knowledge AS k
    WHERE k.organization_id = %(organization_id)s
        AND k.id = wanted.id
        AND k.source_id = ANY(%(source_ids)s::text[])
        AND k.content_units >= %(least_units)s
    OFFSET 0
) AS k
CROSS JOIN LATERAL (
    SELECT c.first_unit + utf16_length(left(c.content, place.at - 1)) AS match_offset
    FROM (
        SELECT n.* FROM knowledge_chunks AS n
        WHERE n.organization_id = %(organization_id)s
            AND n.knowledge_id = k.id
            AND n.first_unit >= %(first_chunk)s
            AND n.first_unit + n.unit_count > %(segment_start)s
        ORDER BY n.first_unit
        LIMIT %(chunk_limit)s
    ) AS c
    CROSS JOIN LATERAL (
        SELECT match_position(
            c.content || c.overlap, c.search_text, (SELECT text FROM term),
            CASE
                WHEN c.first_unit >= %(segment_start)s THEN 1
                ELSE 1 + character_count(c.content, %(segment_start)s - c.first_unit)
            END
        ) AS at
        OFFSET 0
    ) AS place
    WHERE position((SELECT bytes FROM term) IN convert_to(c.search_text, 'UTF8')) > 0
        -- A match that begins in the overlap belongs to the next chunk.
        AND place.at BETWEEN 1 AND length(c.content)
    ORDER BY c.first_unit
    LIMIT 1
) AS found;
