"""Why Redis does not count requests, in words for logs, readiness and metrics."""

from ssl import SSLCertVerificationError

from redis import exceptions

from orgctx.stores.causes import OUT_OF_FILES, causes, lacks_files

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
    if lacks_files(error):
        return OUT_OF_FILES, error
    chain = [*causes(error)]
    for cause in chain:
        for kind, reason in REASONS.items():
            if isinstance(cause, kind):
                return reason, cause
    return "", chain[-1]
