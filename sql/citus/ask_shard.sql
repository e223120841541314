-- Runs statements of an organization where its rows are, see citus/create_run_on_shard. The names and
-- types of their columns follow this text in parentheses. The only distributed table has at most
-- one row of an organization; it leads the statement to the right server, and counting makes it one.
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
