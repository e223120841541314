-- Lists one page of the mentions of the connected account, newest first, and counts them.
-- Parameters: organization_id uuid, source_ids text[], account text or null,
--   page_size and page_offset bigint.
-- Rows: total bigint; is_conflict boolean: whether mentions are stored, but none of the account;
--   then the columns of XMention. If the page is empty, one row whose columns of XMention are null.
-- Index: x_mentions_by_account for the count and the ids of the page, x_mentions_pkey for its
--   records.
WITH mentions AS NOT MATERIALIZED (
    SELECT m.id, m.created_at
    FROM x_mentions AS m
    WHERE m.organization_id = %(organization_id)s
        AND m.source_id = ANY(%(source_ids)s::text[])
        AND lower(m.account) = (SELECT lower(%(account)s::text))
)
SELECT
    list.total, list.is_anything_stored AND list.total = 0 AS is_conflict,
    {mention}
FROM (
    SELECT
        (SELECT count(*) FROM mentions) AS total,
        -- ORDER BY makes the planner use the index instead of a sequential scan.
        {is_anything_stored} AS is_anything_stored
) AS list
LEFT JOIN (
    SELECT id FROM mentions
    ORDER BY created_at DESC, id
    LIMIT %(page_size)s OFFSET %(page_offset)s
) AS page ON true
{mentions_of_page}
ORDER BY m.created_at DESC, m.id;
