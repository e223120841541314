-- name: list_sources
-- Lists the stored sources of one organization, approved or not, with the columns that the API needs
-- to compute their status.
-- Parameters: organization_id uuid, ids text[], or null for all, kinds text[]: all kinds, in the
-- order of the API.
-- Rows: (id text, kind text, label text, included, external, holds_new boolean, status text,
-- updated_at, loaded_at, suppressed_at timestamptz or null: when a load last changed the source, and when
-- the last of its suppressed items was suppressed, held_count bigint: its documents that wait for a
-- release, has_knowledge boolean: whether it has knowledge items, count bigint, decided_by uuid or null and
-- decided_at timestamptz or null: who included or approved it, and the members of exposure.Source), in the
-- order of the API.
-- Index: sources_pkey, knowledge_suppressions_pkey, knowledge_pkey, knowledge_by_source_and_time.
WITH hidden AS MATERIALIZED (
    SELECT
        k.source_id, max(s.suppressed_at) AS suppressed_at,
        count(DISTINCT s.held_id) AS held_count
    FROM knowledge_suppressions AS s
    JOIN knowledge AS k ON k.organization_id = %(organization_id)s AND k.id = s.knowledge_id
    WHERE s.organization_id = %(organization_id)s
    GROUP BY k.source_id
)
SELECT
    t.id, t.kind, t.label, t.included, t.external, t.holds_new, t.status, t.updated_at, t.loaded_at,
    t.record_count AS count, t.decided_by, t.decided_at,
    t.description, t.href AS stored_href, t.status AS stored_status, t.stale_after_seconds, t.account,
    t.record_count, t.chat_id, h.suppressed_at, coalesce(h.held_count, 0) AS held_count,
    EXISTS (
        SELECT FROM knowledge AS k
        WHERE k.organization_id = %(organization_id)s AND k.source_id = t.id
    ) AS has_knowledge,
    coalesce(t.updated_at, '-infinity') < now() - make_interval(secs => t.stale_after_seconds) AS is_overdue
FROM sources AS t
LEFT JOIN hidden AS h ON h.source_id = t.id
WHERE t.organization_id = %(organization_id)s
    AND (%(ids)s::text[] IS NULL OR t.id = ANY(%(ids)s))
ORDER BY array_position(%(kinds)s::text[], t.kind), lower(t.label) COLLATE "C", t.id;

-- name: decide_sources
-- Sets one of the columns of sources that members decide, and who decided and when.
-- {column} is external, included or holds_new.
-- Parameters: organization_id uuid, ids text[], value boolean, decided_by uuid.
-- Index: sources_pkey.
UPDATE sources
SET {column} = %(value)s, decided_by = %(decided_by)s, decided_at = now()
WHERE organization_id = %(organization_id)s AND id = ANY(%(ids)s) AND {column} <> %(value)s;

-- name: read_sync
-- Reads the last result of `orgctx sync` for a source.
-- Parameters: organization_id uuid, source_id text.
-- Rows: (synced_at timestamptz, state text, refused_count integer, message text or null), at most
-- one.
-- Index: source_syncs_pkey.
SELECT synced_at, state, refused_count, message
FROM source_syncs
WHERE organization_id = %(organization_id)s AND source_id = %(source_id)s;
