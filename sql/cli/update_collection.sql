-- Updates the time at which a source was collected, unless the stored time is later.
-- Parameters: organization_id uuid, source_id text; seconds double precision: how long ago.
-- Rows: none.
-- Index: sources_pkey.
UPDATE sources
SET updated_at = greatest(updated_at, now() - make_interval(secs => %(seconds)s))
WHERE organization_id = %(organization_id)s AND id = %(source_id)s;
