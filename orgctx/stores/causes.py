"""Follow an error to its causes, and say in words why PostgreSQL is unavailable."""

import errno
import os
from collections.abc import Iterator

from orgctx.errors import ApiError, InternalError, ServiceUnavailable
from orgctx.observability.logs import note_error

OUT_OF_FILES = "out of file descriptors"
TOO_MANY_CONNECTIONS = "too many connections"
CODES = (errno.EMFILE, errno.ENFILE)
# libpq reports a text only.
TEXTS = tuple(map(os.strerror, CODES))


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


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and its causes, the last cause at the end."""
    while error:
        yield error
        error = error.__cause__ or error.__context__


def lacks_files(error: BaseException) -> bool:
    """Return whether the error occurred because no more files, and so sockets, can be opened."""
    return any(
        getattr(cause, "errno", None) in CODES or any(text in str(cause) for text in TEXTS)
        for cause in causes(error)
    )


def response_to(error: Exception) -> ApiError:
    """Return the response to an unexpected error: a bug, which is logged, or a lack of files."""
    if not lacks_files(error):
        note_error(error)
        return InternalError()
    unavailable = ServiceUnavailable(
        "The server is overloaded. Retry with backoff.", reason=OUT_OF_FILES
    )
    unavailable.__cause__ = error
    return unavailable


def reason_of(error: BaseException) -> str:
    """Return the reason in words if this module knows it, else an empty text."""
    if lacks_files(error):
        return OUT_OF_FILES
    if state := getattr(error, "sqlstate", None):
        return REASONS.get(state, "")
    text = str(error)
    return next((reason for part, reason in CONNECT_REASONS.items() if part in text), "")
