-- Makes the transactions of a connection read-only, as the role that may only SELECT. Statements are
-- planned once, because they are written so that one plan suits all values, and run on one processor
-- each. A statement ends soon after its client has disconnected, if the server can detect that.
-- On a connection of its own the settings last; through a pooler, which may give each transaction
-- another connection to the server, they end with the transaction and leave nothing to others.
-- Parameters: role text, statement_timeout and check_interval text with their units, isolation
-- text, backend_pid integer: the server's process as the client knows it, 0 to let the settings end
-- in any case, statement_name text: under which the client has prepared this statement, or empty.
-- Row: (is_own boolean: the settings last, keeps_name boolean: the server knows that name, so no
-- pooler translates it, has_shards boolean: citus/ask_shard can be used, settings text[]: to be
-- ignored).
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
        -- Where Citus distributes the database, a plan needs the organization, to know its server.
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
