-- Merges the staged mentions into the stored ones. If several records have the same id, only the
-- last is stored. Rows that would not change are not rewritten.
-- Inserts into source_changes how many records of each source had each outcome.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
-- Row: (created, updated, unchanged, deleted bigint): how many rows had each outcome.
WITH latest AS MATERIALIZED (
    SELECT DISTINCT ON (organization_id, id) *
    FROM staged_x_mentions
    ORDER BY organization_id, id, sequence DESC
),
deleted_rows AS (
    DELETE FROM x_mentions AS t
    USING latest AS l
    WHERE l.deleted
        AND t.organization_id = ANY(%(organization_ids)s)
        AND t.organization_id = l.organization_id
        AND t.id = l.id
    RETURNING t.organization_id, t.source_id
),
merged AS (
    INSERT INTO x_mentions AS t (
        organization_id, id, source_id, account, url, text, created_at, metrics, is_reply,
        is_repost, author_id, author_username, author_name, author_verified, media, quoted
    )
    SELECT
        l.organization_id, l.id, l.source_id, l.account, l.url, l.text, l.created_at, l.metrics,
        l.is_reply, l.is_repost, l.author_id, l.author_username, l.author_name,
        l.author_verified, l.media, l.quoted
    FROM latest AS l
    WHERE NOT l.deleted
    ON CONFLICT (organization_id, id) DO UPDATE SET
        source_id = excluded.source_id, account = excluded.account, url = excluded.url,
        text = excluded.text, created_at = excluded.created_at, metrics = excluded.metrics,
        is_reply = excluded.is_reply, is_repost = excluded.is_repost,
        author_id = excluded.author_id, author_username = excluded.author_username,
        author_name = excluded.author_name, author_verified = excluded.author_verified,
        media = excluded.media, quoted = excluded.quoted
    WHERE
        (
            t.source_id, t.account, t.url, t.text, t.created_at, t.metrics, t.is_reply,
            t.is_repost, t.author_id, t.author_username, t.author_name, t.author_verified,
            t.media, t.quoted
        ) IS DISTINCT FROM (
            excluded.source_id, excluded.account, excluded.url, excluded.text,
            excluded.created_at, excluded.metrics, excluded.is_reply, excluded.is_repost,
            excluded.author_id, excluded.author_username, excluded.author_name,
            excluded.author_verified, excluded.media, excluded.quoted
        )
    RETURNING t.organization_id, t.source_id, (xmax = 0) AS is_new  -- an update sets xmax
),
changed_sources AS (
    INSERT INTO source_changes (organization_id, source_id, created, updated, deleted)
    SELECT
        organization_id, source_id, count(*) FILTER (WHERE outcome = 'created'),
        count(*) FILTER (WHERE outcome = 'updated'), count(*) FILTER (WHERE outcome = 'deleted')
    FROM (
        SELECT
            organization_id, source_id, CASE WHEN is_new THEN 'created' ELSE 'updated' END AS outcome
        FROM merged
        UNION ALL
        SELECT organization_id, source_id, 'deleted' FROM deleted_rows
    ) AS changes
    GROUP BY organization_id, source_id
)
SELECT
    count(*) FILTER (WHERE is_new) AS created,
    count(*) FILTER (WHERE NOT is_new) AS updated,
    (SELECT count(*) FROM latest WHERE NOT deleted) - count(*) AS unchanged,
    (SELECT count(*) FROM deleted_rows) AS deleted
FROM merged;
