-- name: count_records
-- Counts the records of sources.
-- Parameters: organization_id uuid, source_ids text[].
-- Rows: (id text, record_count bigint, chat_id uuid: the chat of a telegram source, else null).
-- Index: sources_pkey, then the index of each kind: knowledge_by_source_and_time, assets_by_source_and_time,
-- telegram_chats_one_of_a_source, x_mentions_by_account, tokens_pkey.
SELECT
    t.id,
    CASE t.kind
        WHEN 'assets' THEN (
            SELECT count(*) FROM assets AS a
            WHERE a.organization_id = %(organization_id)s AND a.source_id = t.id
        )
        WHEN 'telegram' THEN coalesce(c.tracked_message_count, 0)
        WHEN 'x' THEN (
            SELECT count(*) FROM x_mentions AS m
            WHERE m.organization_id = %(organization_id)s
                AND m.source_id = t.id
                AND lower(m.account) = lower(t.account)
        )
        WHEN 'token' THEN (
            SELECT count(*) FROM tokens AS n
            WHERE n.organization_id = %(organization_id)s
                AND n.source_id = t.id
                AND lower(n.address) = lower(t.account)
        )
        WHEN 'profile' THEN 0
        ELSE (
            SELECT count(*) FROM readable_knowledge AS k
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

-- name: store_counts
-- Stores the record counts of sources that bundle/count_records returned.
-- Parameters: organization_id uuid; source_ids text[], record_counts bigint[] and chat_ids uuid[]:
--   arrays of equal length; chat_ids may contain nulls.
-- Index: sources_pkey.
UPDATE sources AS s
SET record_count = c.record_count, chat_id = c.chat_id
FROM unnest(%(source_ids)s::text[], %(record_counts)s::bigint[], %(chat_ids)s::uuid[])
    AS c (id, record_count, chat_id)
WHERE s.organization_id = %(organization_id)s
    AND s.id = c.id
    AND (s.record_count, s.chat_id) IS DISTINCT FROM (c.record_count, c.chat_id);

-- name: count_below
-- Counts the rows of {table}, that of a record type, that are deleted together with an organization, sources or chats.
-- Parameters: organization_id uuid; ids text[] or uuid[]: the values of {owner_id}; null: any.
-- Rows: (count bigint).
-- Index: the table's index by organization_id and {owner_id}.
SELECT count(*)
FROM {table}
WHERE organization_id = %(organization_id)s AND ({owner_id} = ANY(%(ids)s) OR %(ids)s IS NULL);
