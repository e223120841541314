-- Finds the most recently active people whose name or username contains a term, or of all if q is
-- null, among the 10,000 most recently active. Works like search/find_messages.
-- Parameters: organization_id uuid; source_ids text[]; q text, after and before timestamptz or
--   null; row_limit and recent_limit bigint: as in find_messages; since_setting text: the setting in
--   which find_messages stored a time; if it is not empty, older records are ignored.
-- Rows: the columns of find_messages; one row whose kind and id are null if nothing is found.
-- Index: people_by_source, people_tokens, people_by_time, people_counts_pkey; people_pkey.
WITH term AS MATERIALIZED (
    SELECT
        q.text, convert_to(q.text, 'UTF8') AS bytes,
        term_pattern(q.text) AS pattern,
        -- find_messages found row_limit rows, so no older record can be on the page.
        coalesce(
            nullif(current_setting(%(since_setting)s::text, true), '')::timestamptz,
            %(after)s::timestamptz, '-infinity'
        ) AS after,
        coalesce(%(before)s::timestamptz, 'infinity') AS before,
        -- A person has a row for each source, so this many rows are of at least row_limit people.
        greatest(
            %(recent_limit)s::bigint, %(row_limit)s::bigint * cardinality(%(source_ids)s::text[])
        ) AS row_count
    -- OFFSET 0 makes PostgreSQL fold the term only once.
    FROM (SELECT fold_text(%(q)s::text) AS text OFFSET 0) AS q
),
-- Computed only if the index is used.
terms AS MATERIALIZED (
    SELECT
        keyed_term_tokens(
            %(organization_id)s, %(source_ids)s::text[], (SELECT text FROM term)
        ) AS tokens
),
-- As in search/find_messages.
bound AS MATERIALIZED (
    SELECT r.last_active_at
    FROM unnest(%(source_ids)s::text[]) AS s (id)
    CROSS JOIN LATERAL (
        SELECT p.last_active_at FROM people AS p
        WHERE p.organization_id = %(organization_id)s
            AND p.source_id = s.id
            AND p.last_active_at >= (SELECT after FROM term)
            AND p.last_active_at < (SELECT before FROM term)
        ORDER BY p.last_active_at DESC
        LIMIT 1 + 2 * (SELECT row_count FROM term) / nullif(cardinality(%(source_ids)s::text[]), 0)
    ) AS r
    ORDER BY r.last_active_at DESC
    OFFSET (SELECT row_count - 1 FROM term) LIMIT 1
),
recent_people AS MATERIALIZED (
    SELECT r.source_id, r.person_id FROM (
        SELECT p.* FROM unnest(%(source_ids)s::text[]) AS s (id)
        CROSS JOIN LATERAL (
            SELECT p.* FROM people AS p
            WHERE p.organization_id = %(organization_id)s
                AND p.source_id = s.id
                AND NOT p.newer_source_ids && %(source_ids)s::text[]
                AND p.last_active_at >= coalesce((SELECT last_active_at FROM bound), (SELECT after FROM term))
                AND p.last_active_at < (SELECT before FROM term)
            ORDER BY p.last_active_at DESC
            FETCH FIRST (%(recent_limit)s::bigint) ROWS WITH TIES
        ) AS p
        ORDER BY p.last_active_at DESC
        FETCH FIRST (%(recent_limit)s::bigint) ROWS WITH TIES
    ) AS r
    WHERE (SELECT text FROM term) IS NULL
        OR position((SELECT bytes FROM term) IN convert_to(r.display_name_lower, 'UTF8')) > 0
        OR position((SELECT bytes FROM term) IN convert_to(r.username_lower, 'UTF8')) > 0
    ORDER BY r.last_active_at DESC, (r.platform || ':' || r.person_id) COLLATE "C"
    LIMIT %(row_limit)s
),
other_people AS (
    SELECT c.source_id, c.person_id FROM (
        SELECT p.* FROM people AS p
        -- The cast and the interval keep PostgreSQL from also reading other indexes.
        WHERE p.organization_id::text = %(organization_id)s::text
            AND p.source_id || '' = ANY(%(source_ids)s::text[])
            AND p.last_active_at + interval '0' >= (SELECT after FROM term)
            AND p.last_active_at + interval '0' < (SELECT before FROM term)
            AND keyed_text_tokens(
                p.organization_id, p.source_id, p.display_name_lower || E'\n' || coalesce(p.username_lower, '')
            ) @@ ANY((SELECT tokens FROM terms)::tsquery[])
            AND (
                position((SELECT bytes FROM term) IN convert_to(p.display_name_lower, 'UTF8')) > 0
                OR position((SELECT bytes FROM term) IN convert_to(p.username_lower, 'UTF8')) > 0
            )
            AND cardinality(%(source_ids)s::text[]) > 0
            AND (SELECT count(*) FROM recent_people) < %(row_limit)s
            AND EXISTS (
                SELECT FROM people AS n
                WHERE n.organization_id = %(organization_id)s
                    AND n.source_id = ANY(%(source_ids)s::text[])
                    AND n.last_active_at >= (SELECT after FROM term)
                    AND n.last_active_at < (SELECT before FROM term)
                OFFSET %(recent_limit)s::bigint
            )
        OFFSET 0
    ) AS c
    WHERE NOT c.newer_source_ids && %(source_ids)s::text[]
    ORDER BY c.last_active_at DESC, (c.platform || ':' || c.person_id) COLLATE "C"
    LIMIT %(row_limit)s
),
people_total AS MATERIALIZED (
    SELECT sum(n.people_count) AS number
    FROM people_counts AS n
    WHERE n.organization_id = %(organization_id)s
        AND n.source_id = ANY(%(source_ids)s::text[])
        AND NOT n.newer_source_ids && %(source_ids)s::text[]
),
last_person AS MATERIALIZED (
    -- The least recently active person who is examined. Read only if there are more than 10,000
    -- people.
    SELECT p.last_active_at, (p.platform || ':' || p.person_id) COLLATE "C" AS id
    FROM people AS p
    WHERE p.organization_id = %(organization_id)s
        AND p.source_id = ANY(%(source_ids)s::text[])
        AND NOT p.newer_source_ids && %(source_ids)s::text[]
        AND (SELECT number FROM people_total) > 10000
    ORDER BY p.last_active_at DESC, 2
    -- A subquery hides the number from the planner, which would otherwise not scan the index.
    OFFSET (SELECT 9999) LIMIT 1
),
found AS (
    SELECT
        (p.platform || ':' || p.person_id) COLLATE "C" AS id, p.source_id,
        p.display_name AS title, p.last_active_at AS at,
        CASE
            WHEN p.username IS NULL THEN p.display_name
            WHEN position((SELECT bytes FROM term) IN convert_to(p.display_name_lower, 'UTF8')) > 0
                THEN p.display_name
            ELSE p.username
        END AS text
    FROM (SELECT * FROM recent_people UNION SELECT * FROM other_people) AS f
    JOIN people AS p
        ON p.organization_id = %(organization_id)s
        AND p.source_id = f.source_id
        AND p.person_id = f.person_id
    -- Without `before`, recent_people are always among the 10,000.
    WHERE (
            %(before)s::timestamptz IS NULL
            AND (p.source_id, p.person_id) IN (SELECT source_id, person_id FROM recent_people)
        )
        OR NOT EXISTS (
            SELECT FROM last_person AS l
            WHERE (l.last_active_at, p.platform || ':' || p.person_id) > (p.last_active_at, l.id)
        )
)
SELECT
    coalesce(t.number > 10000, false) AS search_limited,
    CASE WHEN f.id IS NOT NULL THEN 'person' END AS kind, f.id, f.source_id, f.title, f.at,
    NULL::text AS href, f.text AS excerpt,
    coalesce(match_position(f.text, (SELECT text FROM term), (SELECT pattern FROM term)), 0) AS match_at,
    true AS starts, true AS ends
FROM people_total AS t
LEFT JOIN found AS f ON true;
