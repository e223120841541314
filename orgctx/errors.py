"""The errors that a caller can receive, and their common body. Does not use Flask."""

from typing import Any, ClassVar, NamedTuple
from uuid import UUID


class KnownKey(NamedTuple):
    """The ids of an API key and of its organization."""

    id: UUID
    organization_id: UUID


# The Retry-After of a response while a store or the server is unavailable.
RETRY_SECONDS = 5


class ApiError(Exception):
    """An error response: HTTP status, stable code and message for the caller."""

    status: ClassVar[int] = 500
    code: ClassVar[str] = "internal_error"
    default_message: ClassVar[str] = "The request failed because of a bug in the service."

    def __init__(self, message: str | None = None, *, headers: dict[str, str] | None = None):
        self.message = message or self.default_message
        self.headers = headers or {}
        super().__init__(self.message)

    def body(self, request_id: str) -> dict[str, Any]:
        """Return the error body: `{error: {code, message}, requestId}`."""
        return {
            "error": {"code": self.code, "message": self.message},
            "requestId": request_id,
        }


class InternalError(ApiError):
    """A bug in the service; its cause is logged and never shown."""


class InvalidParameter(ApiError):
    """names: the parameters whose values are invalid, if the message is about some."""

    status, code = 400, "invalid_parameter"

    def __init__(self, message: str | None = None, *, names: frozenset[str] = frozenset()) -> None:
        super().__init__(message)
        self.names = names


class MalformedRequest(InvalidParameter):
    default_message = "The request line or a header is malformed."


class Unauthorized(ApiError):
    """reason: why, for operators; callers do not see it. key: who sent it, if the key is known."""

    status, code = 401, "unauthorized"
    default_message = (
        "Invalid API key: it is unknown, expired or revoked, or its issuer may no longer issue "
        "keys. Ask an owner or admin of the organization for a new key."
    )

    def __init__(
        self, message: str | None = None, *, reason: str = "", key: KnownKey | None = None
    ) -> None:
        super().__init__(message, headers={"WWW-Authenticate": 'Bearer realm="orgctx"'})
        self.reason = reason
        self.key = key


class InsufficientScope(ApiError):
    """scopes: any one of them would suffice."""

    status, code = 403, "insufficient_scope"

    def __init__(self, scopes: tuple[str, ...]) -> None:
        super().__init__(
            f"This key lacks the scope {' or '.join(scopes)}; "
            "an owner or admin of the organization can add it."
        )
        self.scopes = scopes


class NotFound(ApiError):
    status, code = 404, "not_found"
    default_message = "No record has this id, or this key may not read it."


class OtherRecord(NotFound):
    """The identifier is that of another kind of record; the message says what to call."""


class MethodNotAllowed(ApiError):
    status, code = 405, "method_not_allowed"

    def __init__(self, allowed: str) -> None:
        super().__init__(f"Unsupported method. Use one of {allowed}.", headers={"Allow": allowed})


class SourceConflict(ApiError):
    status, code = 409, "source_conflict"


class BodyNotAccepted(ApiError):
    status, code = 413, "body_not_accepted"
    default_message = "Request bodies are not accepted. Use path and query parameters."

    def __init__(self, message: str | None = None) -> None:
        # Otherwise the rest of the body would have to be read before the next request.
        super().__init__(message, headers={"Connection": "close"})


class RateLimited(ApiError):
    status, code = 429, "rate_limited"

    def __init__(self, limit: str, retry_after_seconds: int) -> None:
        super().__init__(
            f"Rate limit exceeded for this {limit}. Retry in {retry_after_seconds} seconds.",
            headers={"Retry-After": str(retry_after_seconds)},
        )


class ServiceUnavailable(ApiError):
    """reason: what is wrong, for operators; callers do not see it."""

    status, code = 503, "service_unavailable"
    default_message = "The database or the quota store is unavailable. Retry with backoff."

    def __init__(self, message: str | None = None, *, reason: str = "") -> None:
        super().__init__(message, headers={"Retry-After": str(RETRY_SECONDS)})
        self.reason = reason


class RequestTimeout(ApiError):
    status, code = 504, "timeout"
    default_message = "The request timed out. Retry with backoff."


class SearchTimeout(RequestTimeout):
    """A search took longer than searches may."""

    default_message = (
        "The search took too long. Retry with backoff, search only one source, or use other words."
    )
