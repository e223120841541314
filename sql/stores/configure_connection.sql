-- Makes the transactions of a connection read-only, under the role that may only SELECT, and sets
-- what answers rely on, because a login or a database may have other defaults. Sets generic plans,
-- because one plan suits all values of each statement's parameters. Turns off parallel workers. Makes
-- a statement end soon after its client disconnects, if the server can detect that. On a direct
-- connection, the settings last until it is closed. Through a pooler, which may give each transaction
-- another connection to the server, they end with the transaction.
-- Parameters: role text, statement_timeout and check_interval text with their units, backend_pid
--   integer: the process id that libpq reports for the connection, or 0 so that the settings end
--   with the transaction, statement_name text: the name of this prepared statement, or ''.
-- Row: (is_direct boolean: the connection is direct, is_name_unchanged boolean: the server
--   knows statement_name, so no pooler replaces the names of prepared statements, has_shards boolean:
--   stores/citus/ask_shard can be used, settings text[]: not used).
SELECT
    i.is_direct,
    %(statement_name)s <> '' AND EXISTS (
        SELECT FROM pg_prepared_statements AS s WHERE s.name = %(statement_name)s
    ) AS is_name_unchanged,
    to_regproc('public.run_on_shard') IS NOT NULL AS has_shards,
    ARRAY(
        SELECT set_config(s.name, s.value, NOT i.is_direct)
        FROM (
            VALUES
            ('role', %(role)s),
            -- How values are written and read.
            ('client_encoding', 'UTF8'),
            ('DateStyle', 'ISO, MDY'),
            ('IntervalStyle', 'postgres'),
            ('timezone', 'UTC'),
            ('bytea_output', 'hex'),
            ('extra_float_digits', '1'),
            ('standard_conforming_strings', 'on'),
            ('array_nulls', 'on'),
            ('quote_all_identifiers', 'off'),
            -- Which rows a statement finds.
            ('search_path', 'public, pg_temp'),
            ('row_security', 'on'),
            ('transform_null_equals', 'off'),
            ('gin_fuzzy_search_limit', '0'),
            ('restrict_nonsystem_relation_kind', ''),
            -- Transactions, and when the server ends them or the connection.
            ('default_transaction_read_only', 'on'),
            -- All statements of a transaction see the same snapshot.
            ('default_transaction_isolation', 'repeatable read'),
            ('default_transaction_deferrable', 'off'),
            ('statement_timeout', %(statement_timeout)s),
            ('lock_timeout', '0'),
            ('transaction_timeout', '0'),
            ('idle_in_transaction_session_timeout', '0'),
            ('idle_session_timeout', '0'),
            (
                CASE WHEN version() !~* 'mingw|visual c' THEN 'client_connection_check_interval' END,
                %(check_interval)s
            ),
            -- Plans. With Citus, a generic plan is not possible: the organization determines the
            -- server.
            ('jit', 'off'),
            ('max_parallel_workers_per_gather', '0'),
            (
                'plan_cache_mode',
                CASE WHEN to_regclass('pg_catalog.pg_dist_partition') IS NULL
                    THEN 'force_generic_plan' ELSE 'auto'
                END
            )
        ) AS s (name, value)
        -- Older servers do not have all of them.
        WHERE current_setting(s.name, true) IS NOT NULL
    ) || set_config('transaction_read_only', 'on', true) AS settings
FROM (SELECT pg_backend_pid() = %(backend_pid)s::integer AS is_direct) AS i;
