-- Stores that an import deleted records. If a record was deleted several times, the deletion with the
-- latest evidence is stored.
-- Parameters: organization_id uuid, source_id text; types, ids text[] and times timestamptz[]: arrays
--   of equal length.
-- Rows: none.
-- Index: deleted_records_pkey.
INSERT INTO deleted_records AS t (organization_id, source_id, type, id, collected_at)
SELECT %(organization_id)s, %(source_id)s, d.type, d.id, d.collected_at
FROM unnest(%(types)s::text[], %(ids)s::text[], %(times)s::timestamptz[])
    AS d (type, id, collected_at)
ON CONFLICT (organization_id, source_id, type, id) DO UPDATE SET
    collected_at = greatest(t.collected_at, excluded.collected_at);
