-- Lists one page of the people of some sources, most recently active first, and counts them.
-- Parameters: organization_id uuid, source_ids text[], page_size and page_offset bigint.
-- Rows: (total bigint, search_limited boolean: false, and the columns of one person). Name, username and
--   verified are those of the newest record in these sources; the count and the times include all of these
--   sources. The arrays have one element per source. If the page is empty, the person is null.
-- Index: people_counts_pkey, people_by_time; people_by_person for the people of the page.
WITH {counted},
list AS (SELECT people_count AS total, false AS search_limited FROM counted),
found AS NOT MATERIALIZED (
    SELECT * FROM people AS p
    WHERE p.organization_id = %(organization_id)s
        AND p.source_id = ANY(%(source_ids)s::text[])
        AND NOT p.newer_source_ids && %(source_ids)s::text[]
)
{page_of_found}
