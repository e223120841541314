-- Reads what the last sync of a source found.
-- Parameters: organization_id uuid, source_id text.
-- Rows: (digest bytea, null if a load has changed the source since; refused_count integer,
-- message text: what was refused, or null, imported_at timestamptz, load_count bigint), at most one.
-- Index: source_listings_pkey.
SELECT digest, refused_count, message, imported_at, load_count
FROM source_listings
WHERE organization_id = %(organization_id)s AND source_id = %(source_id)s;
