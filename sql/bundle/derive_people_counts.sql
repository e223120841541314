-- Recomputes people_counts for the sources in touched_sources, and for all sources of the people in
-- touched_people.
-- Parameters: organization_ids uuid[]: some or all organizations of the stream.
-- Row: (stored_count bigint): how many rows were inserted or updated.
-- Index: people_by_person, people_pkey.
WITH touched AS MATERIALIZED (
    SELECT organization_id, source_id FROM touched_sources
    WHERE organization_id = ANY(%(organization_ids)s)
    UNION
    SELECT p.organization_id, p.source_id
    FROM touched_people AS t
    JOIN people AS p
        ON p.organization_id = ANY(%(organization_ids)s)
        AND p.organization_id = t.organization_id
        AND p.platform = t.platform
        AND p.person_id = t.person_id
    WHERE t.organization_id = ANY(%(organization_ids)s)
),
counted AS MATERIALIZED (
    SELECT
        p.organization_id, p.source_id,
        row_number() OVER (
            PARTITION BY p.organization_id, p.source_id ORDER BY p.newer_source_ids
        ) AS number,
        p.newer_source_ids, count(*) AS people_count
    FROM touched AS t
    JOIN people AS p
        ON p.organization_id = ANY(%(organization_ids)s)
        AND p.organization_id = t.organization_id
        AND p.source_id = t.source_id
    GROUP BY p.organization_id, p.source_id, p.newer_source_ids
),
deleted_rows AS (
    DELETE FROM people_counts AS n
    USING touched AS t
    WHERE n.organization_id = ANY(%(organization_ids)s)
        AND n.organization_id = t.organization_id
        AND n.source_id = t.source_id
        AND NOT EXISTS (
            SELECT FROM counted AS c
            WHERE c.organization_id = n.organization_id
                AND c.source_id = n.source_id
                AND c.number = n.number
        )
),
stored AS (
    INSERT INTO people_counts AS n (
        organization_id, source_id, number, newer_source_ids, people_count
    )
    SELECT organization_id, source_id, number, newer_source_ids, people_count FROM counted
    ON CONFLICT (organization_id, source_id, number) DO UPDATE SET
        newer_source_ids = excluded.newer_source_ids, people_count = excluded.people_count
    WHERE (n.newer_source_ids, n.people_count)
        IS DISTINCT FROM (excluded.newer_source_ids, excluded.people_count)
    RETURNING 1
)
SELECT count(*) AS stored_count FROM stored;
