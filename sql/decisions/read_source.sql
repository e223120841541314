-- Reads one source with the columns that gate/find_key returns for approved sources, and who
-- included or approved it.
-- Parameters: organization_id uuid, id text.
-- Rows: the columns of a source in gate/find_key, then (included boolean, external boolean,
-- decided_by uuid or null, decided_at timestamptz or null), at most one.
-- Index: sources_pkey.
SELECT
    id, kind, label, description, href AS stored_href, status AS stored_status, updated_at,
    stale_after_seconds, account, record_count, chat_id,
    coalesce(extract(epoch FROM now() - updated_at) > stale_after_seconds, false) AS is_overdue,
    included, external, decided_by, decided_at
FROM sources
WHERE organization_id = %(organization_id)s AND id = %(id)s;
