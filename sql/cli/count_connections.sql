-- Computes how many connections this login may have, given those that other logins have now.
-- Parameters: none.
-- Row: (room integer).
SELECT least(
    current_setting('max_connections')::integer
    - current_setting('superuser_reserved_connections')::integer
    - coalesce(current_setting('reserved_connections', true)::integer, 0)
    - (
        SELECT count(*)::integer FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND usename <> session_user
    ),
    (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = session_user)
) AS room;
