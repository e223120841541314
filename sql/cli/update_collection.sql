-- Updates the time at which a source was collected, unless the stored time is later.
-- Parameters: organization_id uuid, source_id text, collected_at timestamptz, or null to keep it.
-- Rows: (id text), none if there is no such source.
-- Index: sources_pkey.
UPDATE sources
SET updated_at = greatest(updated_at, %(collected_at)s)
WHERE organization_id = %(organization_id)s AND id = %(source_id)s
RETURNING id;
