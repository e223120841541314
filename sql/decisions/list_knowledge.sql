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
        q.text, convert_to(q.text, 'UTF8') AS bytes,
        keyed_term_tokens(
            %(organization_id)s,
            -- The empty id finds suppressed items.
            ARRAY(SELECT s.id FROM sources AS s WHERE s.organization_id = %(organization_id)s) || ''::text,
            q.text
        ) AS tokens
    -- OFFSET 0 makes PostgreSQL fold the term only once.
    FROM (SELECT fold_text(%(q)s::text) AS text OFFSET 0) AS q
),
found AS MATERIALIZED (
    SELECT f.knowledge_id AS id FROM knowledge_search AS f
    WHERE f.organization_id = %(organization_id)s
        AND indexed_tokens(f.tokens) @@ ANY((SELECT tokens FROM term)::tsquery[])
        -- If the term has up to three characters, matching tokens prove that the text contains it.
        AND CASE
            WHEN length((SELECT text FROM term)) <= 3 THEN true
            WHEN f.first_unit = -1 THEN (
                SELECT position((SELECT bytes FROM term) IN convert_to(t.title_lower, 'UTF8')) > 0
                FROM knowledge AS t
                WHERE t.organization_id = %(organization_id)s AND t.id = f.knowledge_id
            )
            ELSE (
                SELECT position((SELECT bytes FROM term) IN convert_to(c.search_text, 'UTF8')) > 0
                FROM knowledge_chunks AS c
                WHERE c.organization_id = %(organization_id)s
                    AND c.knowledge_id = f.knowledge_id
                    AND c.first_unit = f.first_unit
            )
        END
)
SELECT
    coalesce(k.id, s.knowledge_id) AS id, k.title, k.source_id, k.visibility,
    k.archived AS is_archived, coalesce(s.reasons, '{}') AS reasons, k.updated_at
FROM (SELECT * FROM knowledge WHERE organization_id = %(organization_id)s) AS k
FULL JOIN (
    SELECT
        knowledge_id, jsonb_object_agg(reason, jsonb_build_array(detail, detail_offset)) AS reasons,
        bool_or(held_id IS NOT NULL) AS is_held, bool_or(held_id IS NULL) AS is_suppressed
    FROM knowledge_suppressions
    WHERE organization_id = %(organization_id)s
    GROUP BY knowledge_id
) AS s ON s.knowledge_id = k.id
WHERE (%(source_id)s::text IS NULL OR k.source_id = %(source_id)s)
    AND (%(q)s::text IS NULL OR k.id IN (SELECT id FROM found))
    AND CASE %(state)s::text WHEN 'suppressed' THEN s.is_suppressed WHEN 'held' THEN s.is_held ELSE true END
ORDER BY k.updated_at DESC NULLS LAST, coalesce(k.id, s.knowledge_id)
LIMIT %(row_limit)s OFFSET %(row_offset)s;
