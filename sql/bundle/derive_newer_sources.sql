-- Updates people.newer_source_ids of the people in touched_people: for each of a person's sources,
-- the other sources in which the person was active later.
-- Parameters: organization_ids uuid[]: some or all organizations of the stream.
-- Index: people_by_person, for one person at a time; a large load runs ANALYZE people first.
WITH touched AS MATERIALIZED (
    SELECT DISTINCT organization_id, platform, person_id FROM touched_people
    WHERE organization_id = ANY(%(organization_ids)s)
),
derived AS MATERIALIZED (
    SELECT p.organization_id, p.source_id, p.person_id, n.source_ids
    FROM touched AS t
    CROSS JOIN LATERAL (
        SELECT o.organization_id, o.platform, o.person_id, o.source_id, o.last_active_at
        FROM people AS o
        WHERE o.organization_id = ANY(%(organization_ids)s)
            AND o.organization_id = t.organization_id
            AND o.platform = t.platform
            AND o.person_id = t.person_id
        OFFSET 0
    ) AS p
    CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(n.source_id ORDER BY n.source_id), '{}') AS source_ids
        FROM people AS n
        WHERE n.organization_id = ANY(%(organization_ids)s)
            AND n.organization_id = p.organization_id
            AND n.platform = p.platform
            AND n.person_id = p.person_id
            AND (n.last_active_at, p.source_id) > (p.last_active_at, n.source_id)
    ) AS n
)
UPDATE people AS p
SET newer_source_ids = d.source_ids
FROM derived AS d
WHERE p.organization_id = ANY(%(organization_ids)s)
    AND p.organization_id = d.organization_id
    AND p.source_id = d.source_id
    AND p.person_id = d.person_id
    AND p.newer_source_ids <> d.source_ids;
