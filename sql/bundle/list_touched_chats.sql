-- Lists the chats in touched_chats, a few in each row.
-- Parameters: organization_ids uuid[]: some or all organizations of the stream; chat_count integer.
-- Rows: (organization_ids uuid[], chat_ids uuid[]).
SELECT array_agg(DISTINCT organization_id) AS organization_ids, array_agg(chat_id) AS chat_ids
FROM (
    SELECT
        organization_id, chat_id,
        row_number() OVER (ORDER BY organization_id, chat_id) - 1 AS number
    FROM touched_chats
    WHERE organization_id = ANY(%(organization_ids)s)
) AS c
GROUP BY number / %(chat_count)s
ORDER BY number / %(chat_count)s;
