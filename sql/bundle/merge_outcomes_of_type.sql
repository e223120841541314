-- The end of bundle/merge_records, merge_knowledge and merge_telegram_messages: counts what they merged
-- and deleted, also by source or chat.
-- Parameters: none.
-- Row: (created, updated, unchanged, deleted bigint): how many rows had each outcome.
changed_sources AS (
    INSERT INTO source_changes (organization_id, {parent}, created, updated, deleted)
    SELECT
        organization_id, {parent}, count(*) FILTER (WHERE outcome = 'created'),
        count(*) FILTER (WHERE outcome = 'updated'), count(*) FILTER (WHERE outcome = 'deleted')
    FROM (
        SELECT
            organization_id, {parent}, CASE WHEN is_new THEN 'created' ELSE 'updated' END AS outcome
        FROM merged
        UNION ALL
        SELECT organization_id, {parent}, 'deleted' FROM deleted_rows
    ) AS changes
    GROUP BY organization_id, {parent}
)
SELECT
    count(*) FILTER (WHERE is_new) AS created,
    count(*) FILTER (WHERE NOT is_new) AS updated,
    (SELECT count(*) FROM latest WHERE NOT deleted) - count(*) AS unchanged,
    (SELECT count(*) FROM deleted_rows) AS deleted
FROM merged;
