"""Response headers and error responses as shared components of the contract.

The component of a header is named after it. If its value depends on the kind of response, a suffix
follows after a dot.
"""

from typing import Any, NamedTuple

from orgctx import errors
from orgctx.resources import x
from orgctx.resources.catalog import OPERATIONS
from orgctx.schemas.fields import Nested, Text
from orgctx.schemas.formats import Uuid
from orgctx.schemas.payload import Payload, fields_of

RATE_LIMIT = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
RATE_LIMIT_IF_COUNTED = tuple(f"{name}.if-counted" for name in RATE_LIMIT)
EVERY = ("X-Request-Id", "X-Content-Type-Options")
SUCCESS = (*EVERY, *RATE_LIMIT, "ETag", "Cache-Control.private", "Vary")
PUBLIC_SUCCESS = (
    *(*EVERY, *RATE_LIMIT, "ETag"),
    *("Cache-Control.public", "Vary.public", "Content-Encoding", "Access-Control-Allow-Origin"),
)
ERROR = (*EVERY, "Cache-Control.error")


def _text(description: str, example: str, **schema: Any) -> dict[str, Any]:
    return _header(description, example, type="string", **schema)


def _count(description: str, example: int, **schema: Any) -> dict[str, Any]:
    return _header(description, example, type="integer", minimum=0, **schema)


def _always(description: str, value: str) -> dict[str, Any]:
    return _text(description, value, const=value)


def _header(description: str, example: Any, **schema: Any) -> dict[str, Any]:
    return {"description": description, "required": True, "schema": schema, "example": example}


_PAGED = [operation.path for operation in OPERATIONS if "page" in fields_of(operation.arguments)]
_LINK = f"/api/v1{_PAGED[0]}?page="

HEADERS: dict[str, dict[str, Any]] = {
    "X-Request-Id": _text(
        "Identifies this request in logs and in reports of errors.",
        "0d6f2f44-5f0c-4d0e-9a43-1f1d6d1f5a11",
        format="uuid",
    ),
    "X-Content-Type-Options": _always(
        "Keeps browsers from guessing another content type.", "nosniff"
    ),
    "RateLimit-Limit": _count(
        "Requests per minute of the limit that has the fewest requests left: of the API key, "
        "the organization or the IP address.",
        120,
    ),
    "RateLimit-Remaining": _count("Requests left after this one.", 119),
    "RateLimit-Reset": _count("Seconds until the window ends.", 42, maximum=60),
    "Retry-After": _count("Seconds to wait before a retry.", 42, maximum=60),
    "ETag": _text(
        "Identifies this representation. Send it back in If-None-Match.",
        '"65dd59f400c78f55fb8b57a0fb60a23d"',
        pattern='^"[^"]+"$',
    ),
    "Cache-Control.private": _always(
        "Only the client may store the answer, and revalidates it before each use.",
        "private, no-cache",
    ),
    "Cache-Control.public": _always(
        "Any cache may store the answer, and revalidates it before each use.", "public, no-cache"
    ),
    "Cache-Control.error": _always("Errors are never stored.", "no-store"),
    "Vary": _always("Answers depend on the key.", "Authorization"),
    "Vary.public": _always("The document may be compressed.", "Accept-Encoding"),
    "Content-Encoding": {
        **_always("For clients that accept it.", "gzip"),
        "required": False,
    },
    "Access-Control-Allow-Origin": _always("Scripts of every origin may read the answer.", "*"),
    "Link": _text(
        "Links to the first, previous, next and last page (RFC 8288).",
        ", ".join(
            f'<{_LINK}{page}>; rel="{relation}"'
            for page, relation in ((1, "first"), (1, "prev"), (3, "next"), (3, "last"))
        ),
    ),
    "WWW-Authenticate": _text("How to authenticate.", 'Bearer realm="orgctx"'),
    "Allow": _always("The methods of every path.", "GET, HEAD"),
}
HEADERS |= {
    f"{name}.if-counted": {
        **HEADERS[name],
        "description": f"{HEADERS[name]['description']} Absent if the request was not counted.",
        "required": False,
    }
    for name in RATE_LIMIT
}


def headers(*components: str) -> dict[str, Any]:
    """Return references to these components, for one response."""
    return {
        component.partition(".")[0]: {"$ref": f"#/components/headers/{component}"}
        for component in components
    }


REQUEST_ID = HEADERS["X-Request-Id"]["example"]


class Error(Payload):
    """What is wrong and what is accepted."""

    code = Text(doc="Stable identifier for programs.", example="invalid_parameter")
    message = Text(doc="Explanation for people.", example="page must be an integer from 1 to 10000")


class ErrorBody(Payload):
    """The body of every error response."""

    error = Nested(Error)
    request_id = Uuid(doc="Same as the X-Request-Id header.", example=REQUEST_ID)


class ErrorResponse(NamedTuple):
    error: type[errors.ApiError]
    description: str
    headers: tuple[str, ...] = ()  # besides those of all errors
    message: str = ""  # an example, if it is not that of the error


ERROR_RESPONSES: dict[str, ErrorResponse] = {
    "InvalidParameter": ErrorResponse(
        errors.InvalidParameter,
        "A parameter is unknown, repeated, malformed or out of range.",
        RATE_LIMIT,
        "page must be an integer from 1 to 10000",
    ),
    "Unauthorized": ErrorResponse(
        errors.Unauthorized,
        "The key is missing, unknown, expired or revoked, has no API access, or its issuer "
        "is no longer an owner or admin.",
        ("WWW-Authenticate",),
    ),
    "InsufficientScope": ErrorResponse(
        errors.InsufficientScope,
        "The key lacks the scope that the message names.",
        RATE_LIMIT,
        errors.InsufficientScope(("knowledge:read",)).message,
    ),
    "NotFound": ErrorResponse(
        errors.NotFound,
        "Nothing is stored under this id, or no approved source of this key exposes it.",
        RATE_LIMIT,
    ),
    "MethodNotAllowed": ErrorResponse(
        errors.MethodNotAllowed,
        "The method is not GET or HEAD.",
        ("Allow",),
        errors.MethodNotAllowed("GET, HEAD").message,
    ),
    "SourceConflict": ErrorResponse(
        errors.SourceConflict,
        "The stored data was collected for another account than the source has now.",
        RATE_LIMIT,
        x.CONFLICT,
    ),
    "BodyNotAccepted": ErrorResponse(
        errors.BodyNotAccepted,
        "The request has a body.",
    ),
    "RateLimited": ErrorResponse(
        errors.RateLimited,
        "The rate limit of the key, the organization or the IP address is exceeded; the message "
        "names which.",
        (*RATE_LIMIT, "Retry-After"),
        errors.RateLimited("API key", 42).message,
    ),
    "InternalError": ErrorResponse(
        errors.InternalError,
        "An internal error of the service.",
        RATE_LIMIT_IF_COUNTED,
    ),
    "ServiceUnavailable": ErrorResponse(
        errors.ServiceUnavailable,
        "The database or the quota store is unavailable. Retry with backoff.",
        (*RATE_LIMIT_IF_COUNTED, "Retry-After"),
    ),
    "RequestTimeout": ErrorResponse(
        errors.RequestTimeout,
        "The request timed out. Retry with backoff.",
    ),
}


def response(name: str) -> dict[str, Any]:
    error, description, error_headers, message = ERROR_RESPONSES[name]
    message = message or error.default_message
    example = {"error": {"code": error.code, "message": message}, "requestId": REQUEST_ID}
    return {
        "description": description,
        "headers": headers(*ERROR, *error_headers),
        "content": {"application/json": {"schema": ErrorBody, "example": example}},
    }


def responses(*names: str) -> dict[str, Any]:
    """Return references to shared responses by status, for one operation."""
    return {
        str(ERROR_RESPONSES[name].error.status): {"$ref": f"#/components/responses/{name}"}
        for name in names
    }
