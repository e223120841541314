-- Runs statements of an organization on the server that stores its rows (see
-- citus/create_run_on_shard). The service appends the names and types of their columns in
-- parentheses. The distributed table has at most one row per organization; it routes the statement
-- to the right server, and counting makes it exactly one row.
-- Parameters: organization_id uuid, names and statements text[], parameters text, as JSON.
-- Rows: as those of the statements.
-- Index: tokens_pkey.
SELECT rows.*
FROM (
    SELECT count(*) FROM tokens AS t WHERE t.organization_id = %(organization_id)s
) AS place
CROSS JOIN LATERAL run_on_shard(
    %(organization_id)s, %(names)s::text[], %(statements)s::text[], %(parameters)s::jsonb
) AS rows
