-- Makes the transactions of a connection read-only, under the role that may only SELECT. Sets
-- generic plans, because one plan suits all values of each statement's parameters. Turns off
-- parallel workers. Makes a statement end soon after its client disconnects, if the server can
-- detect that. On a direct connection, the settings last until it is closed. Through a pooler,
-- which may give each transaction another connection to the server, they end with the transaction.
-- Parameters: role text, statement_timeout and check_interval text with their units, isolation
--   text, backend_pid integer: the process id that libpq reports for the connection, or 0 so that
--   the settings end with the transaction, statement_name text: the name of this prepared
--   statement, or ''.
-- Row: (is_own boolean: the connection is direct, keeps_name boolean: the server knows
--   statement_name, so no pooler replaces the names of prepared statements, has_shards boolean:
--   citus/ask_shard can be used, settings text[]: not used).
SELECT
    i.is_own,
    %(statement_name)s <> '' AND EXISTS (
        SELECT FROM pg_prepared_statements AS s WHERE s.name = %(statement_name)s
    ) AS keeps_name,
    to_regproc('run_on_shard') IS NOT NULL AS has_shards,
    ARRAY[
        set_config('role', %(role)s, NOT i.is_own),
        set_config('default_transaction_read_only', 'on', NOT i.is_own),
        set_config('default_transaction_isolation', %(isolation)s, NOT i.is_own),
        set_config('transaction_read_only', 'on', true),
        set_config('statement_timeout', %(statement_timeout)s, NOT i.is_own),
        set_config('timezone', 'UTC', NOT i.is_own),
        set_config('jit', 'off', NOT i.is_own),
        -- With Citus, a generic plan is not possible: the organization determines the server.
        set_config(
            'plan_cache_mode',
            CASE WHEN to_regclass('pg_catalog.pg_dist_partition') IS NULL
                THEN 'force_generic_plan' ELSE 'auto'
            END,
            NOT i.is_own
        ),
        set_config('max_parallel_workers_per_gather', '0', NOT i.is_own),
        CASE WHEN version() !~* 'mingw|visual c' THEN
            set_config('client_connection_check_interval', %(check_interval)s, NOT i.is_own)
        END
    ] AS settings
FROM (SELECT pg_backend_pid() = %(backend_pid)s::integer AS is_own) AS i;
