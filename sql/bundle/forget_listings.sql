-- Forgets what syncs know of sources, because a load may have changed their records.
-- Parameters: organization_id uuid, ids text[].
-- Rows: none.
-- Index: source_listings_pkey.
UPDATE source_listings
SET digest = NULL, load_count = load_count + 1
WHERE organization_id = %(organization_id)s AND source_id = ANY(%(ids)s);
