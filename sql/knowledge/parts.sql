-- What several statements of this folder contain: each value fills the slot of its name.

-- is_listed:
k.source_id = ANY(%(source_ids)s::text[])
        AND k.archived = %(archived)s
        AND (%(kind)s::text = 'all' OR k.kind = %(kind)s)
        AND (%(visibility)s::text = 'all' OR k.visibility = %(visibility)s)

-- page_of_matching:
SELECT
    list.total, k.id, k.title, k.kind, k.source, k.preview, k.visibility, k.archived,
    k.source_status, k.source_label, k.source_href, k.created_at, k.updated_at
FROM (SELECT count(*) AS total FROM matching) AS list
LEFT JOIN (
    SELECT id FROM matching
    ORDER BY updated_at DESC, id
    LIMIT %(page_size)s OFFSET %(page_offset)s
) AS page ON true
LEFT JOIN LATERAL (
    SELECT * FROM knowledge AS k
    WHERE k.organization_id = %(organization_id)s AND k.id = page.id
    LIMIT 1
) AS k ON true
ORDER BY k.updated_at DESC, k.id;
