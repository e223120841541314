-- Reads what the last sync of a source found.
-- Parameters: organization_id uuid, source_id text.
-- Rows: (digest bytea, refused_count integer, imported_at timestamptz), none if a load has changed
-- the source since.
-- Index: source_listings_pkey.
SELECT digest, refused_count, imported_at
FROM source_listings
WHERE organization_id = %(organization_id)s AND source_id = %(source_id)s;
