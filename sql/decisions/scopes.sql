-- name: read_sync
-- Reads the last result of `orgctx sync` for a source.
-- Parameters: organization_id uuid, source_id text.
-- Rows: (synced_at timestamptz, state text, refused_count integer, message text or null), at most
-- one.
-- Index: source_syncs_pkey.
SELECT synced_at, state, refused_count, message
FROM source_syncs
WHERE organization_id = %(organization_id)s AND source_id = %(source_id)s;
