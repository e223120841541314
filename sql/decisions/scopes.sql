-- name: count_readable
-- Counts the records of the sources that keys may read now: approved and included ones.
-- Parameters: organization_id uuid, ids text[], or null for all, kinds text[]: all kinds, in the
-- order of the API, derived_kinds text[]: the kinds whose knowledge items are not their only records.
-- Rows: (id text, kind text, label text, record_count bigint, knowledge_count bigint: readable
-- knowledge items of a derived kind, else 0), in the order of the API.
-- Index: sources_pkey, knowledge_by_source_and_time, knowledge_suppressions_pkey.
SELECT
    t.id, t.kind, t.label, t.record_count,
    CASE WHEN t.kind = ANY(%(derived_kinds)s::text[]) THEN (
        SELECT count(*)
        FROM readable_knowledge AS k
        WHERE k.organization_id = %(organization_id)s
            AND k.source_id = t.id
            AND NOT k.archived
    ) ELSE 0 END AS knowledge_count
FROM sources AS t
WHERE t.organization_id = %(organization_id)s
    AND t.included
    AND t.external
    AND (%(ids)s::text[] IS NULL OR t.id = ANY(%(ids)s))
ORDER BY array_position(%(kinds)s::text[], t.kind), lower(t.label) COLLATE "C", t.id;

-- name: read_sync
-- Reads the last result of `orgctx sync` for a source.
-- Parameters: organization_id uuid, source_id text.
-- Rows: (synced_at timestamptz, state text, refused_count integer, message text or null), at most
-- one.
-- Index: source_syncs_pkey.
SELECT synced_at, state, refused_count, message
FROM source_syncs
WHERE organization_id = %(organization_id)s AND source_id = %(source_id)s;
