-- Lists one page of the people of some sources whose name or username contains a term, most
-- recently active first, and counts them. Examines the 10,000 most recently active people.
-- Parameters: organization_id uuid, source_ids text[], q text, page_size and page_offset bigint.
-- Rows: as list_people; search_limited is true if there are more than 10,000 people.
-- Index: people_counts_pkey, people_by_time; people_by_person for the people of the page.
WITH term AS MATERIALIZED (SELECT convert_to(fold_text(%(q)s::text), 'UTF8') AS bytes),
found AS MATERIALIZED (
    SELECT * FROM (
        SELECT * FROM people AS p
        WHERE p.organization_id = %(organization_id)s
            AND p.source_id = ANY(%(source_ids)s::text[])
            AND NOT p.newer_source_ids && %(source_ids)s::text[]
        ORDER BY p.last_active_at DESC, (p.platform || ':' || p.person_id) COLLATE "C"
        -- A subquery hides the number from the planner, which would otherwise not scan the index.
        LIMIT (SELECT 10000)
    ) AS pool
    WHERE position((SELECT bytes FROM term) IN convert_to(pool.display_name_lower, 'UTF8')) > 0
        OR position((SELECT bytes FROM term) IN convert_to(pool.username_lower, 'UTF8')) > 0
),
{counted},
list AS (SELECT (SELECT count(*) FROM found) AS total, people_count > 10000 AS search_limited FROM counted)
{page_of_found}
