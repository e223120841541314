-- What several statements of this folder contain: each value fills the slot of its name.

-- activity_of_sources:
min(s.first_active_at) AS first_active_at,
        sum(s.activity_count)::bigint AS activity_count,
        array_agg(s.source_id ORDER BY s.last_active_at DESC, s.source_id) AS source_ids,
        array_agg(s.activity_count ORDER BY s.last_active_at DESC, s.source_id) AS activity_counts,
        array_agg(s.last_active_at ORDER BY s.last_active_at DESC, s.source_id) AS last_active_ats

-- counted:
counted AS (
    SELECT coalesce(sum(n.people_count), 0)::bigint AS people_count FROM people_counts AS n
    WHERE n.organization_id = %(organization_id)s
        AND n.source_id = ANY(%(source_ids)s::text[])
        -- Take each person once, from the source with the newest activity.
        AND NOT n.newer_source_ids && %(source_ids)s::text[]
)

-- page_of_found:
SELECT
    list.total, list.search_limited, p.platform, p.person_id, p.display_name, p.username, p.verified,
    e.first_active_at, p.last_active_at, e.activity_count, e.source_ids, e.activity_counts, e.last_active_ats
FROM list
LEFT JOIN (
    SELECT * FROM found
    ORDER BY last_active_at DESC, (platform || ':' || person_id) COLLATE "C"
    LIMIT %(page_size)s OFFSET %(page_offset)s
) AS p ON true
LEFT JOIN LATERAL (
    SELECT
        {activity_of_sources}
    FROM people AS s
    WHERE s.organization_id = %(organization_id)s
        AND s.platform = p.platform
        AND s.person_id = p.person_id
        AND s.source_id = ANY(%(source_ids)s::text[])
) AS e ON true
ORDER BY p.last_active_at DESC, (p.platform || ':' || p.person_id) COLLATE "C";
