-- Counts the records of sources. Its parts: bundle/count_records_of_type.
-- Parameters: organization_id uuid, source_ids text[].
-- Rows: (id text, record_count bigint, chat_id uuid: the chat of a telegram source, else null).
-- Index: sources_pkey, then the index of each kind: knowledge_by_source_and_time, assets_by_source_and_time,
-- telegram_chats_one_of_a_source, x_mentions_by_account, tokens_pkey.
SELECT
    t.id,
    CASE t.kind
        {parts}
        WHEN 'telegram' THEN coalesce(c.tracked_message_count, 0)
        WHEN 'x' THEN (
            SELECT count(*)
            FROM x_mentions AS m
            WHERE m.organization_id = %(organization_id)s
                AND m.source_id = t.id
                AND lower(m.account) = lower(t.account)
        )
        WHEN 'token' THEN (
            SELECT count(*)
            FROM tokens AS n
            WHERE n.organization_id = %(organization_id)s
                AND n.source_id = t.id
                AND lower(n.address) = lower(t.account)
        )
        WHEN 'profile' THEN 0
        ELSE (
            SELECT count(*)
            FROM readable_knowledge AS k
            WHERE k.organization_id = %(organization_id)s
                AND k.source_id = t.id
                AND NOT k.archived
        )
    END AS record_count,
    c.id AS chat_id
FROM sources AS t
LEFT JOIN telegram_chats AS c
    ON t.kind = 'telegram'
    AND c.organization_id = %(organization_id)s
    AND c.organization_id = t.organization_id
    AND c.source_id = t.id
WHERE t.organization_id = %(organization_id)s AND t.id = ANY(%(source_ids)s);
