-- Stores what the sync of a source found, unless another load came after that of the sync.
-- Parameters: organization_id uuid, source_id text, digest bytea, refused_count integer,
-- message text or null, imported_at timestamptz; load_count bigint: as it was before the sync.
-- Rows: none.
-- Index: source_listings_pkey.
INSERT INTO source_listings AS t (
    organization_id, source_id, digest, refused_count, message, imported_at
)
VALUES (
    %(organization_id)s, %(source_id)s, %(digest)s, %(refused_count)s, %(message)s, %(imported_at)s
)
ON CONFLICT (organization_id, source_id) DO UPDATE SET
    digest = excluded.digest,
    refused_count = excluded.refused_count,
    message = excluded.message,
    imported_at = excluded.imported_at
WHERE t.load_count = %(load_count)s + 1;
