-- Reads the symbol of the linked token, if a snapshot of it is stored.
-- Parameters: organization_id uuid, source_ids text[] of token sources.
-- Row: (symbol text); no row if no snapshot is stored.
-- Index: tokens_pkey.
SELECT t.symbol
FROM tokens AS t
JOIN sources AS s ON s.organization_id = t.organization_id AND s.id = t.source_id
WHERE t.organization_id = %(organization_id)s
    AND t.source_id = ANY(%(source_ids)s::text[])
    AND lower(t.address) = lower(s.account);
