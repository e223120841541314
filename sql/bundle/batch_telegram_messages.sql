-- Splits the staged messages into batches, each from after the last message of the previous batch to its
-- own last message. A sample of 100 messages per batch gives the ends, so sizes are approximate.
-- Parameters: batch_size integer: the number of messages in a batch.
-- Rows: (after_organization_id, after_chat_id uuid, after_id integer,
-- last_organization_id, last_chat_id uuid, last_id integer), in order.
WITH ends AS (
    SELECT organization_id, chat_id, id
    FROM (
        SELECT
            organization_id, chat_id, id,
            row_number() OVER (ORDER BY organization_id, chat_id, id) AS number
        FROM staged_telegram_messages TABLESAMPLE system (least(100, 10000.0 / %(batch_size)s))
    ) AS m
    WHERE number %% least(100, %(batch_size)s) = 0
    UNION
    (
        SELECT organization_id, chat_id, id FROM staged_telegram_messages
        ORDER BY organization_id DESC, chat_id DESC, id DESC
        LIMIT 1
    )
)
SELECT
    coalesce(lag(organization_id) OVER w, '00000000-0000-0000-0000-000000000000')
        AS after_organization_id,
    coalesce(lag(chat_id) OVER w, '00000000-0000-0000-0000-000000000000') AS after_chat_id,
    coalesce(lag(id) OVER w, 0) AS after_id,
    organization_id AS last_organization_id, chat_id AS last_chat_id, id AS last_id
FROM ends
WINDOW w AS (ORDER BY organization_id, chat_id, id)
ORDER BY organization_id, chat_id, id;
