-- What several statements of this folder contain: each value fills the slot of its name.

-- store_active:
stored AS (
    INSERT INTO people AS p (
        organization_id, source_id, platform, person_id, display_name, username, verified,
        activity_count, first_active_at, last_active_at
    )
    SELECT
        organization_id, source_id, platform, person_id, display_name, username, verified,
        activity_count, first_at, last_at
    FROM active
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
SELECT count(*) FROM stored;

-- first_errors:
SELECT sequence, (array_agg(errors.error ORDER BY rank))[1] AS error
FROM errors
GROUP BY sequence
ORDER BY sequence
LIMIT %(error_limit)s;

-- changed_items:
changed_knowledge AS c
JOIN knowledge AS k
    ON k.organization_id = ANY(%(organization_ids)s)
    AND k.organization_id = c.organization_id AND k.id = c.id

-- with_source_key:
LEFT JOIN readable_knowledge AS r
    ON r.organization_id = ANY(%(organization_ids)s)
    AND r.organization_id = k.organization_id AND r.id = k.id
-- Hidden items have the key of no source.
CROSS JOIN LATERAL (SELECT coalesce(r.source_id, '') AS source_id) AS f
