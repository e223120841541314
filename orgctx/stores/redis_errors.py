"""Why Redis does not count requests, in words for logs, readiness, metrics and `orgctx doctor`."""

from ssl import SSLCertVerificationError
from typing import NamedTuple

from redis import exceptions

from orgctx.stores.causes import OUT_OF_FILES, causes, lacks_files


class Reason(NamedTuple):
    """Why Redis does not count.

    name: one of a few, because it labels a metric. message: for `orgctx doctor`; it may contain
    {cause}, the error of redis-py, and {commands}, what the service runs.
    """

    name: str
    message: str


# It has no name, because a store that is not ready is unreachable unless a reason is known.
UNREACHABLE = Reason(
    "", "Redis is unavailable. Check ORGCTX_REDIS_URL (rediss:// for TLS) and that it runs."
)
NO_PERMISSION = Reason(
    "no permission",
    "The user of ORGCTX_REDIS_URL lacks a permission. Allow {commands} on orgctx:*.",
)
NO_FILES = Reason(
    OUT_OF_FILES, "This process may open no more files. Raise its limit (`ulimit -n`)."
)
# Reasons by the class of an error and the start of its message; the first that matches is used.
REASONS: tuple[tuple[type[Exception], str | tuple[str, ...], Reason], ...] = (
    (SSLCertVerificationError, "", Reason(
        "untrusted certificate",
        "The certificate of Redis is not trusted ({cause}). Add ssl_ca_certs=FILE to "
        "ORGCTX_REDIS_URL with the authority that signed it, or set SSL_CERT_FILE.",
    )),
    (ConnectionRefusedError, "", Reason("connection refused", UNREACHABLE.message)),
    (exceptions.ConnectionError, "max number of clients", Reason(
        "too many connections", "Redis has too many clients. Raise its maxclients, or stop others.",
    )),
    (exceptions.AuthenticationError, "", Reason(
        "wrong password",
        "Redis rejects the user or the password of ORGCTX_REDIS_URL. Correct them.",
    )),
    (exceptions.NoPermissionError, "", NO_PERMISSION),
    # Within a script, Valkey and Redis do not use the code NOPERM.
    (exceptions.ResponseError, ("ACL failure in script", "The user executing the script"),
     NO_PERMISSION),
    (exceptions.OutOfMemoryError, "", Reason(
        "out of memory",
        "Redis is out of memory and rejects every write. Raise its maxmemory, or remove what other "
        "programs store in it.",
    )),
    (exceptions.ReadOnlyError, "", Reason(
        "read-only",
        "Redis is a read-only replica. Use the master in ORGCTX_REDIS_URL, or promote this server.",
    )),
    (exceptions.ResponseError, "NOREPLICAS", Reason(
        "too few replicas",
        "Redis rejects every write because it has too few replicas. Start them, or lower its "
        "min-replicas-to-write.",
    )),
    (exceptions.ResponseError, "MISCONF", Reason(
        "cannot save",
        "Redis rejects every write because it cannot save to its disk. Free the disk, or turn its "
        "persistence off.",
    )),
    (exceptions.BusyLoadingError, "", Reason(
        "loading", "Redis is still reading its data. Wait until it has started."
    )),
    (exceptions.ResponseError,
     ("unknown command 'HELLO'", "unknown command `HELLO`", "NOPROTO"), Reason(
        "no RESP3",
        "Redis, or a proxy before it, does not speak RESP3. Add ?protocol=2 to ORGCTX_REDIS_URL.",
    )),
    (exceptions.ResponseError, "", Reason(
        "rejects a command", "Redis rejects a command ({cause}). Correct ORGCTX_REDIS_URL."
    )),
)  # fmt: skip


def reason_of(error: BaseException) -> tuple[Reason, BaseException]:
    """Return why Redis did not count, and which error in the chain of causes says so."""
    if lacks_files(error):
        return NO_FILES, error
    for cause in causes(error):
        for kind, start, reason in REASONS:
            if isinstance(cause, kind) and str(cause).startswith(start):
                return reason, cause
    return UNREACHABLE, error
