-- name: list_knowledge
-- Lists knowledge items of one organization, including archived and suppressed ones and those whose
-- source is not approved.
-- Parameters: organization_id uuid, source_id text or null, q text or null: text in the title or the
-- content, state text: suppressed, held or null for all, row_limit and row_offset bigint.
-- Rows: (id text, title text, source_id text, visibility text, is_archived boolean, reasons
-- jsonb: why it is hidden, each with its detail and offset, updated_at timestamptz), newest first. If a
-- suppressed item is not stored, all columns but id and reasons are null.
-- Index: knowledge_by_source_and_time, knowledge_suppressions_pkey; also knowledge_search_tokens if q is not null.
WITH term AS MATERIALIZED (
    SELECT
        convert_to(q.text, 'UTF8') AS bytes,
        keyed_term_tokens(
            %(organization_id)s,
            -- The empty id finds suppressed items.
            ARRAY(SELECT s.id FROM sources AS s WHERE s.organization_id = %(organization_id)s) || ''::text,
            q.text
        ) AS tokens
    FROM (SELECT fold_text(%(q)s::text) AS text OFFSET 0) AS q
),
found AS MATERIALIZED (
    SELECT f.knowledge_id AS id
    FROM knowledge_search AS f
    JOIN knowledge AS t ON t.organization_id = %(organization_id)s AND t.id = f.knowledge_id
    LEFT JOIN knowledge_chunks AS c
        ON c.organization_id = %(organization_id)s
        AND c.knowledge_id = f.knowledge_id
        AND c.first_unit = f.first_unit
    WHERE f.organization_id = %(organization_id)s
        AND indexed_tokens(f.tokens) @@ ANY((SELECT tokens FROM term)::tsquery[])
        -- What no chunk begins with is the title.
        AND position(
            (SELECT bytes FROM term) IN convert_to(coalesce(c.search_text, t.title_lower), 'UTF8')
        ) > 0
)
SELECT
    coalesce(k.id, s.knowledge_id) AS id, k.title, k.source_id, k.visibility,
    k.archived AS is_archived, coalesce(s.reasons, '{}') AS reasons, k.updated_at
FROM (SELECT * FROM knowledge WHERE organization_id = %(organization_id)s) AS k
FULL JOIN (
    SELECT knowledge_id, jsonb_object_agg(reason, jsonb_build_array(detail, detail_offset)) AS reasons
    FROM knowledge_suppressions
    WHERE organization_id = %(organization_id)s
    GROUP BY knowledge_id
) AS s ON s.knowledge_id = k.id
WHERE (%(source_id)s::text IS NULL OR k.source_id = %(source_id)s)
    AND (%(q)s::text IS NULL OR k.id IN (SELECT id FROM found))
    AND CASE %(state)s::text
        WHEN 'suppressed' THEN s.reasons ? 'suppressed' WHEN 'held' THEN s.reasons - 'suppressed' <> '{}' ELSE true
    END
ORDER BY k.updated_at DESC NULLS LAST, coalesce(k.id, s.knowledge_id)
LIMIT %(row_limit)s OFFSET %(row_offset)s;

-- name: find_knowledge
-- Finds which of these knowledge items are stored or suppressed. An item may be suppressed without
-- being stored.
-- Parameters: organization_id uuid, ids text[].
-- Rows: (id text, source_id text, title text, updated_at timestamptz, content_digest text, reasons jsonb:
-- why it is hidden, each with its detail, or the digest of the text that was suppressed first, and its offset),
-- by id. If the item is not stored, all columns but id and reasons are null.
-- Index: knowledge_pkey, knowledge_suppressions_pkey.
SELECT
    wanted.id, k.source_id, k.title, k.updated_at, encode(k.content_digest, 'hex') AS content_digest,
    coalesce(s.reasons, '{}') AS reasons
FROM unnest(%(ids)s::text[]) AS wanted (id)
LEFT JOIN knowledge AS k ON k.organization_id = %(organization_id)s AND k.id = wanted.id
LEFT JOIN LATERAL (
    SELECT
        jsonb_object_agg(
            s.reason, jsonb_build_array(coalesce(s.detail, encode(s.first_digest, 'hex')), s.detail_offset)
        ) AS reasons
    FROM knowledge_suppressions AS s
    WHERE s.organization_id = %(organization_id)s AND s.knowledge_id = wanted.id
) AS s ON true
WHERE k.id IS NOT NULL OR s.reasons IS NOT NULL
ORDER BY wanted.id;

-- name: read_document
-- Reads what find_knowledge lacks of one knowledge item, of any source, and the chunks of its content that
-- overlap a segment.
-- Parameters: organization_id uuid, id text; segment_start and segment_end (exclusive) integer:
-- offsets in UTF-16 code units; first_chunk integer: the least first_unit that a chunk of the segment
-- can have.
-- Rows: no row if it is not stored; else one row for each chunk, in order: (kind text, is_approved boolean:
-- whether its source is approved, is_included boolean, is_archived boolean, visibility text, content_format
-- text, created_at timestamptz, content_units integer, first_unit integer, content text). If no chunk
-- overlaps the segment, one row whose first_unit and content are null.
-- Index: knowledge_pkey, sources_pkey, a range of knowledge_chunks_pkey.
SELECT
    k.kind, t.external AS is_approved, t.included AS is_included, k.archived AS is_archived, k.visibility,
    k.content_format, k.created_at, k.content_units, c.first_unit, c.content
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

-- name: hide_knowledge
-- Sets why knowledge items are hidden: begins the reasons that an item lacks, and ends its others. If the
-- last hold of an item ends, releases its present text; if a hold begins, ends this release.
-- Copies of suppressed texts are held by bundle/hold_copies.
-- Parameters: organization_id uuid, ids text[]; reasons jsonb: by id, as in find_knowledge. The digest of a
--   suppressed item may be null, for that of its present text.
-- Index: knowledge_suppressions_pkey, knowledge_releases_pkey, knowledge_pkey.
WITH wanted AS MATERIALIZED (
    SELECT
        w.id, r.reason, r.place ->> 0 AS detail, (r.place ->> 1)::integer AS detail_offset,
        NOT EXISTS (
            SELECT FROM knowledge_suppressions AS s
            WHERE s.organization_id = %(organization_id)s AND s.knowledge_id = w.id AND s.reason = r.reason
        ) AS begins
    FROM jsonb_each(%(reasons)s::jsonb) AS w (id, reasons)
    CROSS JOIN LATERAL jsonb_each(w.reasons) AS r (reason, place)
),
ended AS (
    DELETE FROM knowledge_suppressions AS s
    WHERE s.organization_id = %(organization_id)s
        AND s.knowledge_id = ANY(%(ids)s::text[])
        AND NOT EXISTS (SELECT FROM wanted AS w WHERE w.id = s.knowledge_id AND w.reason = s.reason)
    RETURNING s.held_id
),
released AS (
    INSERT INTO knowledge_releases (organization_id, knowledge_id, version)
    SELECT k.organization_id, k.id, text_version(k.title, k.content_digest)
    FROM knowledge AS k
    WHERE k.organization_id = %(organization_id)s
        AND k.id IN (SELECT held_id FROM ended)
        AND k.id NOT IN (SELECT id FROM wanted WHERE reason <> 'suppressed')
    ON CONFLICT (organization_id, knowledge_id, version) DO UPDATE
    SET released_at = excluded.released_at
),
unreleased AS (
    DELETE FROM knowledge_releases AS r
    USING knowledge AS k
    WHERE r.organization_id = %(organization_id)s
        AND k.organization_id = %(organization_id)s
        AND k.id = r.knowledge_id
        AND k.id IN (SELECT id FROM wanted WHERE begins AND reason <> 'suppressed')
        AND r.version = text_version(k.title, k.content_digest)
),
hidden AS (
    INSERT INTO knowledge_suppressions (
        organization_id, knowledge_id, reason, first_digest, last_digest, detail, detail_offset
    )
    SELECT
        %(organization_id)s, w.id, w.reason,
        CASE WHEN w.reason = 'suppressed' THEN coalesce(decode(w.detail, 'hex'), k.text_digest) END,
        CASE WHEN w.reason = 'suppressed' THEN k.text_digest END,
        CASE WHEN w.reason <> 'suppressed' THEN w.detail END, w.detail_offset
    FROM wanted AS w
    LEFT JOIN knowledge AS k ON k.organization_id = %(organization_id)s AND k.id = w.id
    WHERE w.begins AND (w.reason = 'suppressed' OR k.id IS NOT NULL)
    RETURNING 1
)
-- Citus would send a query that ends in the INSERT to one server, which does not know the other tables.
SELECT count(*) AS hidden_count FROM hidden;
