-- Marks sources as changed by the load of this transaction.
-- Parameters: organization_id uuid, ids text[].
-- Rows: none.
-- Index: sources_pkey.
UPDATE sources
SET loaded_at = statement_timestamp()
WHERE organization_id = %(organization_id)s AND id = ANY(%(ids)s);
