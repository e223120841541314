"""Say in words why PostgreSQL is unavailable."""

TOO_MANY_CONNECTIONS = "too many connections"
# By SQLSTATE, of errors that a server reports on an open connection.
REASONS = {
    # A server of a Citus cluster cannot reach another one.
    "08006": "worker unreachable",
    "53100": "disk full",
    "53200": "out of memory",
    "57P01": "shutting down",
}
# By the text of errors while connecting, for which libpq has no SQLSTATE. A server that writes
# messages in another language gives no reason.
CONNECT_REASONS = {
    "Connection refused": "connection refused",
    "failed to resolve host": "unknown host",
    "too many clients": TOO_MANY_CONNECTIONS,
    "remaining connection slots": TOO_MANY_CONNECTIONS,
    "too many connections for": TOO_MANY_CONNECTIONS,
    "password authentication failed": "wrong password",
    "no password supplied": "wrong password",
    "no pg_hba.conf entry": "not allowed by pg_hba.conf",
    "is not permitted to log in": "login not allowed",
    "permission denied for database": "login not allowed",
    "certificate verify failed": "untrusted certificate",
    "is starting up": "starting",
    "is shutting down": "shutting down",
    "is in recovery mode": "starting",
}


def reason_of(error: BaseException) -> str:
    """Return the reason in words if this module knows it, else an empty text."""
    if state := getattr(error, "sqlstate", None):
        return REASONS.get(state, "")
    text = str(error)
    return next((reason for part, reason in CONNECT_REASONS.items() if part in text), "")
