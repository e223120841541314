-- name: store_sync
-- Stores the last result of a sync beside its source, unless there is no such source.
-- Parameters: organization_id uuid, source_id text, state text, refused_count integer, message text
-- or null.
-- Index: sources_pkey, source_syncs_pkey.
INSERT INTO source_syncs (organization_id, source_id, synced_at, state, refused_count, message)
SELECT organization_id, id, now(), %(state)s, %(refused_count)s, %(message)s
FROM sources
WHERE organization_id = %(organization_id)s AND id = %(source_id)s
ON CONFLICT (organization_id, source_id) DO UPDATE SET
    synced_at = excluded.synced_at,
    state = excluded.state,
    refused_count = excluded.refused_count,
    message = excluded.message;

-- name: update_collection
-- Updates the time at which a source was collected, unless the stored time is later.
-- Parameters: organization_id uuid, source_id text; seconds double precision: how long ago.
-- Index: sources_pkey.
UPDATE sources
SET updated_at = greatest(updated_at, now() - make_interval(secs => %(seconds)s))
WHERE organization_id = %(organization_id)s AND id = %(source_id)s;
