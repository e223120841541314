"""What the answers of all operations share: headers, the error body, its statuses."""

from __future__ import annotations

from typing import Any

from orgctx import errors
from orgctx.fields import Object, Text, Uuid
from orgctx.payload import Payload

REQUEST_ID = "0d6f2f44-5f0c-4d0e-9a43-1f1d6d1f5a11"
RATE_LIMIT = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
EVERY = ("X-Request-Id", "X-Content-Type-Options")


class Error(Payload):
    """What went wrong and what would be right."""

    code = Text(doc="Stable, for programs.", example="invalid_parameter")
    message = Text(doc="For people.", example="page must be an integer from 1 to 10000")


class ErrorBody(Payload):
    """The body of every answer other than success."""

    error = Object(Error)
    request_id = Uuid(doc="The same as the header X-Request-Id.", example=REQUEST_ID)


HEADERS: dict[str, dict[str, Any]] = {
    "X-Request-Id": {
        "description": "Identifies this request in logs and in reports of a fault.",
        "schema": {"type": "string", "format": "uuid"},
    },
    "X-Content-Type-Options": {
        "description": "Keeps browsers from guessing another type.",
        "schema": {"type": "string", "const": "nosniff"},
    },
    "RateLimit-Limit": {
        "description": "Requests a window of the limit with the fewest requests left.",
        "schema": {"type": "integer", "minimum": 1},
    },
    "RateLimit-Remaining": {
        "description": "Requests left after this one.",
        "schema": {"type": "integer", "minimum": 0},
    },
    "RateLimit-Reset": {
        "description": "Seconds until the window ends.",
        "schema": {"type": "integer", "minimum": 0},
    },
    "Retry-After": {
        "description": "Seconds to wait before trying again.",
        "schema": {"type": "integer", "minimum": 0},
    },
    "ETag": {
        "description": "Identifies this representation; send it back as If-None-Match.",
        "schema": {"type": "string"},
    },
    "Cache-Control": {
        "description": "Who may keep the answer, and whether it must be revalidated.",
        "schema": {"type": "string"},
    },
    "Vary": {
        "description": "What the answer depends on besides the path.",
        "schema": {"type": "string"},
    },
    "Link": {
        "description": "The first, previous, next and last page (RFC 8288).",
        "schema": {"type": "string"},
    },
    "WWW-Authenticate": {
        "description": "How to authenticate.",
        "schema": {"type": "string"},
    },
    "Allow": {
        "description": "The methods that this path answers.",
        "schema": {"type": "string"},
    },
}

# By response name: the error, what it is answered to, an example's message, its own headers.
REFUSALS: dict[str, tuple[type[errors.ApiError], str, str, tuple[str, ...]]] = {
    "InvalidParameter": (
        errors.InvalidParameter,
        "A parameter is unknown, repeated, malformed or out of range.",
        "page must be an integer from 1 to 10000",
        RATE_LIMIT,
    ),
    "Unauthorized": (
        errors.Unauthorized,
        "The key is missing, unknown, expired, revoked or ineligible, or has no API access.",
        errors.Unauthorized.default_message,
        ("WWW-Authenticate",),
    ),
    "InsufficientScope": (
        errors.InsufficientScope,
        "The key lacks the scope; the message names it.",
        "This key lacks the scope knowledge:read; an owner or admin of the organization "
        "can add it.",
        RATE_LIMIT,
    ),
    "NotFound": (
        errors.NotFound,
        "Nothing is stored under this id, or no approved source of this key exposes it.",
        errors.NotFound.default_message,
        RATE_LIMIT,
    ),
    "MethodNotAllowed": (
        errors.MethodNotAllowed,
        "Another method than GET or HEAD.",
        "Use one of these methods: GET, HEAD.",
        ("Allow",),
    ),
    "SourceConflict": (
        errors.SourceConflict,
        "What is stored was collected under another configuration than the source has now.",
        "The stored mentions were collected for another X account than the one connected now; "
        "they can be read once mentions of the connected account are stored.",
        RATE_LIMIT,
    ),
    "BodyNotAccepted": (
        errors.BodyNotAccepted,
        "A request body was sent.",
        errors.BodyNotAccepted.default_message,
        (),
    ),
    "RateLimited": (
        errors.RateLimited,
        "A limit of the key, the organization or the IP address is reached.",
        "The limit of requests for this API key is reached; try again in 42 s.",
        (*RATE_LIMIT, "Retry-After"),
    ),
    "InternalError": (
        errors.InternalError,
        "A fault in the service.",
        errors.InternalError.default_message,
        RATE_LIMIT,
    ),
    "ServiceUnavailable": (
        errors.ServiceUnavailable,
        "The database or the quota store could not complete its part. RateLimit headers are "
        "absent where the request could not be counted.",
        errors.ServiceUnavailable.default_message,
        RATE_LIMIT,
    ),
    "RequestTimeout": (
        errors.RequestTimeout,
        "The request took longer than it may.",
        errors.RequestTimeout.default_message,
        (),
    ),
}


def headers(*names: str) -> dict[str, Any]:
    """References to shared headers."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def refusal(name: str) -> dict[str, Any]:
    """The response of an error."""
    error, description, message, own_headers = REFUSALS[name]
    example = {"error": {"code": error.code, "message": message}, "requestId": REQUEST_ID}
    return {
        "description": description,
        "headers": headers(*EVERY, "Cache-Control", *own_headers),
        "content": {"application/json": {"schema": ErrorBody, "example": example}},
    }


def statuses(*names: str) -> dict[str, Any]:
    """References to errors by their status, for an operation."""
    return {
        str(REFUSALS[name][0].status): {"$ref": f"#/components/responses/{name}"} for name in names
    }
