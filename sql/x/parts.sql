-- What several statements of this folder contain: each value fills the slot of its name.

-- mention:
m.id, m.url, m.text, m.created_at, m.metrics, m.is_reply, m.is_repost,
    m.author_id AS "author.id", m.author_username AS "author.username",
    m.author_name AS "author.name", m.author_verified AS "author.verified",
    m.media, m.quoted

-- is_anything_stored:
EXISTS (
    SELECT FROM unnest(%(source_ids)s::text[]) AS s (id)
    CROSS JOIN LATERAL (
        SELECT FROM x_mentions AS a
        WHERE a.organization_id = %(organization_id)s AND a.source_id = s.id
        ORDER BY lower(a.account)
        LIMIT 1
    ) AS a
)

-- mentions_of_page:
LEFT JOIN LATERAL (
    SELECT * FROM x_mentions AS m
    WHERE m.organization_id = %(organization_id)s AND m.id = page.id
    LIMIT 1
) AS m ON true
