-- Runs statements of reference tables, which the coordinator has too, see citus/create_run_on_shard.
-- The names and types of their columns follow this text in parentheses.
-- Parameters: names and statements text[], parameters text, as JSON.
-- Rows: as those of the statements.
SELECT rows.*
FROM run_on_shard(
    NULL, %(names)s::text[], %(statements)s::text[], %(parameters)s::jsonb
) AS rows
