-- Lists the sources of one organization, with the columns that a load may replace.
-- Parameters: organization_id uuid.
-- Rows: (id, kind, label, description text, href text or null, updated_at timestamptz or null,
-- stale_after_seconds integer or null, account text or null), by id.
-- Index: sources_pkey.
SELECT id, kind, label, description, href, updated_at, stale_after_seconds, account
FROM sources
WHERE organization_id = %(organization_id)s
ORDER BY id;
