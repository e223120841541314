-- Computes how many connections this login may open, if other logins keep those that they have now.
-- Parameters: none.
-- Row: (room integer: the number, including connections that this login has already).
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
