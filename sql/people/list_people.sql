-- One page of the people of some sources, the last active first, and how many there are.
-- Parameters: organization_id uuid, source_ids text[], pattern text or null (LIKE),
--   page_size, page_offset.
-- Rows: total; whether a pattern examined only the 10,000 last active of more; then a person:
--   name, username and verified as the newest record of these sources says, totals over them,
--   and arrays of the sources with their counts and times; null columns where the page is empty.
-- Index: people_pkey; people_by_person for the people of the page.
WITH newest AS MATERIALIZED (
    SELECT DISTINCT ON (p.platform, p.person_id) p.*
    FROM people AS p
    WHERE p.organization_id = %(organization_id)s AND p.source_id = ANY(%(source_ids)s::text[])
    ORDER BY p.platform, p.person_id, p.last_active_at DESC, p.source_id
),
pool AS NOT MATERIALIZED (
    SELECT * FROM newest
    ORDER BY last_active_at DESC, (platform || ':' || person_id) COLLATE "C"
    LIMIT CASE WHEN %(pattern)s::text IS NULL THEN NULL ELSE 10000 END
),
matching AS NOT MATERIALIZED (
    SELECT * FROM pool
    WHERE %(pattern)s::text IS NULL
        OR display_name_lower LIKE lower(%(pattern)s)
        OR username_lower LIKE lower(%(pattern)s)
)
SELECT
    list.total, list.search_limited,
    p.platform, p.person_id, p.display_name, p.username, p.verified,
    e.first_active_at, p.last_active_at, e.activity_count,
    e.source_ids, e.activity_counts, e.last_active_ats
FROM (
    SELECT
        (SELECT count(*) FROM matching) AS total,
        %(pattern)s::text IS NOT NULL AND (SELECT count(*) FROM newest) > 10000 AS search_limited
) AS list
LEFT JOIN (
    SELECT * FROM matching
    ORDER BY last_active_at DESC, (platform || ':' || person_id) COLLATE "C"
    LIMIT %(page_size)s OFFSET %(page_offset)s
) AS p ON true
LEFT JOIN LATERAL (
    SELECT
        min(s.first_active_at) AS first_active_at,
        sum(s.activity_count)::bigint AS activity_count,
        array_agg(s.source_id ORDER BY s.last_active_at DESC, s.source_id) AS source_ids,
        array_agg(s.activity_count ORDER BY s.last_active_at DESC, s.source_id) AS activity_counts,
        array_agg(s.last_active_at ORDER BY s.last_active_at DESC, s.source_id) AS last_active_ats
    FROM people AS s
    WHERE s.organization_id = %(organization_id)s
        AND s.platform = p.platform
        AND s.person_id = p.person_id
        AND s.source_id = ANY(%(source_ids)s::text[])
) AS e ON true
ORDER BY p.last_active_at DESC, (p.platform || ':' || p.person_id) COLLATE "C";
