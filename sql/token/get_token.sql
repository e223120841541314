-- Reads the stored snapshot of the token.
-- Parameters: organization_id uuid, source_ids text[].
-- Row: address text (null if the snapshot has no token), then the columns of TokenSummary; no row
--   if no snapshot is stored.
-- Index: tokens_pkey.
SELECT
    t.address, true AS connected, t.token, t.index, t.holders, t.latest_fees,
    t.latest_trade_at, t.sources
FROM tokens AS t
WHERE t.organization_id = %(organization_id)s AND t.source_id = ANY(%(source_ids)s::text[]);
