-- Forgets what syncs know of sources, because a load may have changed their records.
-- Parameters: organization_id uuid, ids text[].
-- Rows: none.
-- Index: source_listings_pkey.
DELETE FROM source_listings
WHERE organization_id = %(organization_id)s AND source_id = ANY(%(ids)s);
