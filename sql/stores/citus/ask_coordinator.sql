-- Runs statements that read only reference tables, which the coordinator also has (see
-- cli/citus/create_run_on_shard). The service appends the names and types of their columns in
-- parentheses.
-- Parameters: names and statements text[]; parameters text: a JSON array, see run_on_shard.
-- Rows: the rows of the statements.
SELECT rows.*
FROM run_on_shard(
    NULL, %(names)s::text[], %(statements)s::text[], %(parameters)s::jsonb
) AS rows
