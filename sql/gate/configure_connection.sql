-- Makes a new connection read-only, as the role that may only SELECT. Statements are planned once,
-- because they are written so that one plan suits all values, and run on one processor each. A
-- statement ends soon after its client has disconnected, if the server can detect that.
-- Parameters: role text, statement_timeout and check_interval text with their units, isolation
-- text.
-- Row: one, to be ignored.
SELECT
    set_config('role', %(role)s, false),
    set_config('default_transaction_read_only', 'on', false),
    set_config('default_transaction_isolation', %(isolation)s, false),
    set_config('statement_timeout', %(statement_timeout)s, false),
    set_config('timezone', 'UTC', false),
    set_config('jit', 'off', false),
    set_config('plan_cache_mode', 'force_generic_plan', false),
    set_config('max_parallel_workers_per_gather', '0', false),
    CASE WHEN version() !~* 'mingw|visual c' THEN
        set_config('client_connection_check_interval', %(check_interval)s, false)
    END;
