-- Lists one page of the people of some sources, most recently active first, and counts them.
-- Parameters: organization_id uuid, source_ids text[], page_size and page_offset bigint.
-- Rows: (total bigint, search_limited boolean, and the columns of one person). search_limited is
--   always false; search_people, whose rows the same code reads, needs it. Name, username and verified
--   are those of the newest record in these sources; the count and the times include all of these
--   sources. The arrays have one element per source. If the page is empty, one row with null in the
--   columns of the person.
-- Index: people_counts_pkey, people_by_time; people_by_person for the people of the page.
SELECT
    list.total, false AS search_limited,
    {person}
FROM (
    SELECT coalesce(sum(n.people_count), 0)::bigint AS total
    FROM people_counts AS n
    WHERE n.organization_id = %(organization_id)s
        AND n.source_id = ANY(%(source_ids)s::text[])
        -- Take each person once, from the source with the newest activity.
        AND NOT n.newer_source_ids && %(source_ids)s::text[]
) AS list
LEFT JOIN (
    SELECT * FROM people AS p
    WHERE p.organization_id = %(organization_id)s
        AND p.source_id = ANY(%(source_ids)s::text[])
        AND NOT p.newer_source_ids && %(source_ids)s::text[]
    ORDER BY p.last_active_at DESC, (p.platform || ':' || p.person_id) COLLATE "C"
    LIMIT %(page_size)s OFFSET %(page_offset)s
) AS p ON true
{activity_of_person}
