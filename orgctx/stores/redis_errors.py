"""Why Redis does not count requests, in words for logs, readiness and metrics."""

from collections.abc import Iterator
from ssl import SSLCertVerificationError

from redis import exceptions

# By the class of an error; the first that matches is used. Redis itself explains the others.
REASONS: dict[type[Exception], str] = {
    SSLCertVerificationError: "untrusted certificate",
    ConnectionRefusedError: "connection refused",
    exceptions.AuthenticationError: "wrong password",
    exceptions.NoPermissionError: "no permission",
    exceptions.OutOfMemoryError: "out of memory",
    exceptions.ReadOnlyError: "read-only",
    exceptions.BusyLoadingError: "loading",
    exceptions.ResponseError: "rejects a command",
}


def reason_of(error: BaseException) -> tuple[str, BaseException]:
    """Return why Redis did not count, and which error in the chain of causes says so.

    The reason is one of a few, because it labels a metric; empty if Redis is unreachable.
    """
    chain = [*_causes(error)]
    for cause in chain:
        for kind, reason in REASONS.items():
            if isinstance(cause, kind):
                return reason, cause
    return "", chain[-1]


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and its causes, the last cause at the end."""
    while error:
        yield error
        error = error.__cause__ or error.__context__
