-- Lets sources hold new documents, or makes new documents readable at once. Stores who decided and when.
-- Parameters: organization_id uuid, ids text[], value boolean, decided_by uuid.
-- Rows: none.
-- Index: sources_pkey.
UPDATE sources
SET holds_new = %(value)s, decided_by = %(decided_by)s, decided_at = now()
WHERE organization_id = %(organization_id)s AND id = ANY(%(ids)s) AND holds_new <> %(value)s;
