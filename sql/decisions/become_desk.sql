-- Sets the role and the timeouts of the desk for the rest of the transaction. The settings end with it,
-- because a pooler may give the next transaction another connection.
-- Parameters: role text; statement_timeout, lock_timeout and idle_timeout text with their units.
-- Row: not used.
SELECT
    set_config('role', %(role)s, true),
    set_config('search_path', 'public, pg_temp', true),
    set_config('statement_timeout', %(statement_timeout)s, true),
    set_config('lock_timeout', %(lock_timeout)s, true),
    set_config('idle_in_transaction_session_timeout', %(idle_timeout)s, true);
