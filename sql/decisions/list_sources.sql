-- Lists the stored sources of one organization, approved or not, with the columns that the API needs
-- to compute their status.
-- Parameters: organization_id uuid, ids text[], or null for all, kinds text[]: all kinds, in the
-- order of the API.
-- Rows: (id text, kind text, label text, included boolean, external boolean, status text,
-- updated_at, loaded_at, suppressed_at timestamptz or null: when a load last changed the source, and when
-- the last of its suppressed items was suppressed, count bigint, and the members of exposure.Source), in
-- the order of the API.
-- Index: sources_pkey, knowledge_pkey.
SELECT
    id, kind, label, included, external, status, updated_at, loaded_at,
    record_count AS count,
    description, href AS stored_href, status AS stored_status, stale_after_seconds, account,
    record_count, chat_id,
    (
        SELECT max(s.suppressed_at)
        FROM knowledge_suppressions AS s
        JOIN knowledge AS k
            ON k.organization_id = %(organization_id)s AND k.id = s.knowledge_id
        WHERE s.organization_id = %(organization_id)s AND k.source_id = sources.id
    ) AS suppressed_at,
    coalesce(extract(epoch FROM now() - updated_at) > stale_after_seconds, false) AS is_overdue
FROM sources
WHERE organization_id = %(organization_id)s
    AND (%(ids)s::text[] IS NULL OR id = ANY(%(ids)s))
ORDER BY array_position(%(kinds)s::text[], kind), lower(label) COLLATE "C", id;
