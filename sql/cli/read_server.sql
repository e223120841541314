-- Reads the properties of a server that `orgctx migrate` and `orgctx doctor` check first.
-- Parameters: client_time float: seconds of the Unix epoch.
-- Row: (version integer such as 180001, encoding text, login text, clock_ahead_seconds float: how
-- far the server's clock is ahead of the client's, backend_pid integer: the process that runs this,
-- is_replica boolean: the server is a replica).
SELECT
    current_setting('server_version_num')::integer AS version,
    getdatabaseencoding() AS encoding,
    current_user::text AS login,
    extract(epoch FROM clock_timestamp())::float - %(client_time)s::float AS clock_ahead_seconds,
    pg_backend_pid() AS backend_pid,
    pg_is_in_recovery() AS is_replica;
