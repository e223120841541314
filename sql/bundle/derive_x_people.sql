-- Recomputes the people of the X sources in touched_sources from their mentions: inserts, updates and
-- deletes authors. Only mentions of the source's connected account count.
-- Parameters: organization_ids uuid[]: some or all organizations of the stream.
-- Row: (stored_count bigint): how many rows were inserted or updated.
-- Index: x_mentions_by_account.
WITH touched AS MATERIALIZED (
    SELECT s.organization_id, s.id, s.account
    FROM touched_sources AS t
    JOIN sources AS s ON s.organization_id = t.organization_id AND s.id = t.source_id
    WHERE t.organization_id = ANY(%(organization_ids)s)
        AND s.organization_id = ANY(%(organization_ids)s)
        AND s.kind = 'x'
),
mentions AS MATERIALIZED (
    SELECT m.*
    FROM touched AS t
    JOIN x_mentions AS m
        ON m.organization_id = ANY(%(organization_ids)s)
        AND m.organization_id = t.organization_id
        AND m.source_id = t.id
        AND lower(m.account) = lower(t.account)
),
without_mentions AS (
    DELETE FROM people AS p
    USING touched AS t
    WHERE p.organization_id = ANY(%(organization_ids)s)
        AND p.organization_id = t.organization_id
        AND p.source_id = t.id
        AND NOT EXISTS (
            SELECT FROM mentions AS m
            WHERE m.organization_id = p.organization_id
                AND m.source_id = p.source_id
                AND m.author_id = p.person_id
        )
),
stored AS (
    INSERT INTO people AS p (
        organization_id, source_id, platform, person_id, display_name, username, verified,
        activity_count, first_active_at, last_active_at
    )
    SELECT DISTINCT ON (m.organization_id, m.source_id, m.author_id)
        m.organization_id, m.source_id, 'x', m.author_id,
        m.author_name, m.author_username, m.author_verified,
        count(*) OVER author, min(m.created_at) OVER author, max(m.created_at) OVER author
    FROM mentions AS m
    WINDOW author AS (PARTITION BY m.organization_id, m.source_id, m.author_id)
    ORDER BY m.organization_id, m.source_id, m.author_id, m.created_at DESC, m.id DESC
    ON CONFLICT (organization_id, source_id, person_id) DO UPDATE SET
        display_name = excluded.display_name, username = excluded.username,
        verified = excluded.verified, activity_count = excluded.activity_count,
        first_active_at = excluded.first_active_at, last_active_at = excluded.last_active_at
    WHERE (
        p.display_name, p.username, p.verified, p.activity_count, p.first_active_at, p.last_active_at
    ) IS DISTINCT FROM (
        excluded.display_name, excluded.username, excluded.verified, excluded.activity_count,
        excluded.first_active_at, excluded.last_active_at
    )
    RETURNING 1
)
SELECT count(*) AS stored_count FROM stored;
