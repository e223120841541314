-- Approves sources, so that API keys may read them, or withdraws the approval. Stores who decided
-- and when.
-- Parameters: organization_id uuid, ids text[], value boolean, decided_by uuid.
-- Rows: none.
-- Index: sources_pkey.
UPDATE sources
SET external = %(value)s, decided_by = %(decided_by)s, decided_at = now()
WHERE organization_id = %(organization_id)s AND id = ANY(%(ids)s) AND external <> %(value)s;
