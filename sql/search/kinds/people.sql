-- The people behind messages and mentions, the most recently active.

-- kind: person
-- index: people_by_source, people_tokens, people_by_time, people_counts_pkey; people_by_person
-- table: people
-- is_cut:
    (
        SELECT sum(n.people_count) > %(pool_limit)s FROM people_counts AS n
        WHERE n.organization_id = %(organization_id)s
            AND n.source_id = ANY(%(source_ids)s::text[])
            AND NOT n.newer_source_ids && %(source_ids)s::text[]
    )
-- record_count:
    (
        SELECT sum(n.people_count) FROM people_counts AS n
        WHERE n.organization_id = %(organization_id)s
            AND n.source_id = s.source_id
            AND NOT n.newer_source_ids && %(source_ids)s::text[]
    )
-- is_last: NOT f.newer_source_ids && %(source_ids)s::text[]
-- folded: f.display_name_lower || E'\n' || coalesce(f.username_lower, '')
-- id: f.platform || ':' || f.person_id
-- at: f.last_active_at
-- last:
    SELECT p.last_active_at AS at, (p.platform || ':' || p.person_id) COLLATE "C" AS id
    FROM people AS p
    WHERE p.organization_id = %(organization_id)s
        AND p.source_id = ANY(%(source_ids)s::text[])
        AND NOT p.newer_source_ids && %(source_ids)s::text[]
        AND {is_cut}
    ORDER BY p.last_active_at DESC, 2
    OFFSET %(pool_limit)s - 1 LIMIT 1
-- record:
        SELECT p.source_id, p.display_name AS title, NULL AS href, ARRAY[p.display_name, p.username] AS texts
        FROM people AS p
        WHERE p.organization_id = %(organization_id)s
            AND p.source_id = ANY(%(source_ids)s::text[])
            AND p.platform = split_part(f.id, ':', 1)
            AND p.person_id = substr(f.id, 1 + strpos(f.id, ':'))
            AND NOT p.newer_source_ids && %(source_ids)s::text[]
