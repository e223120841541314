"""Error responses: one body for all, and one shared response for each error."""

from __future__ import annotations

from typing import Any, NamedTuple

from orgctx import errors
from orgctx.openapi.headers import (
    HEADERS,
    RATE_LIMIT,
    RATE_LIMIT_IF_COUNTED,
    REFUSAL,
    headers,
)
from orgctx.schemas.fields import Nested, Text
from orgctx.schemas.formats import Uuid
from orgctx.schemas.payload import Payload

REQUEST_ID = HEADERS["X-Request-Id"]["example"]


class Error(Payload):
    """What went wrong and what would be right."""

    code = Text(doc="Stable, for programs.", example="invalid_parameter")
    message = Text(doc="For people.", example="page must be an integer from 1 to 10000")


class ErrorBody(Payload):
    """The body of every answer other than success."""

    error = Nested(Error)
    request_id = Uuid(doc="The same as the header X-Request-Id.", example=REQUEST_ID)


class Refusal(NamedTuple):
    """A shared error response. message: an example. headers: besides those of all errors."""

    error: type[errors.ApiError]
    description: str
    message: str
    headers: tuple[str, ...] = ()


REFUSALS: dict[str, Refusal] = {
    "InvalidParameter": Refusal(
        errors.InvalidParameter,
        "A parameter is unknown, repeated, malformed or out of range.",
        "page must be an integer from 1 to 10000",
        RATE_LIMIT,
    ),
    "Unauthorized": Refusal(
        errors.Unauthorized,
        "The key is missing, unknown, expired, revoked or ineligible, or has no API access.",
        errors.Unauthorized.default_message,
        ("WWW-Authenticate",),
    ),
    "InsufficientScope": Refusal(
        errors.InsufficientScope,
        "The key lacks the scope; the message names it.",
        "This key lacks the scope knowledge:read; an owner or admin of the organization "
        "can add it.",
        RATE_LIMIT,
    ),
    "NotFound": Refusal(
        errors.NotFound,
        "Nothing is stored under this id, or no approved source of this key exposes it.",
        errors.NotFound.default_message,
        RATE_LIMIT,
    ),
    "MethodNotAllowed": Refusal(
        errors.MethodNotAllowed,
        "Another method than GET or HEAD.",
        "Unsupported method. Use one of GET, HEAD.",
        ("Allow",),
    ),
    "SourceConflict": Refusal(
        errors.SourceConflict,
        "What is stored was collected under another configuration than the source has now.",
        "The stored mentions were collected for another X account than the one connected now; "
        "they can be read once mentions of the connected account are stored.",
        RATE_LIMIT,
    ),
    "BodyNotAccepted": Refusal(
        errors.BodyNotAccepted,
        "A request body was sent.",
        errors.BodyNotAccepted.default_message,
    ),
    "RateLimited": Refusal(
        errors.RateLimited,
        "A limit of the key, the organization or the IP address is reached; the message names it.",
        "Rate limit exceeded for this API key. Retry in 42 seconds.",
        (*RATE_LIMIT, "Retry-After"),
    ),
    "InternalError": Refusal(
        errors.InternalError,
        "A fault in the service.",
        errors.InternalError.default_message,
        RATE_LIMIT_IF_COUNTED,
    ),
    "ServiceUnavailable": Refusal(
        errors.ServiceUnavailable,
        "The database or the quota store could not complete its part; try again with a backoff.",
        errors.ServiceUnavailable.default_message,
        RATE_LIMIT_IF_COUNTED,
    ),
    "RequestTimeout": Refusal(
        errors.RequestTimeout,
        "The request took longer than it may; try again with a backoff.",
        errors.RequestTimeout.default_message,
    ),
}


def response(name: str) -> dict[str, Any]:
    """The shared response of a refusal."""
    error, description, message, own_headers = REFUSALS[name]
    example = {"error": {"code": error.code, "message": message}, "requestId": REQUEST_ID}
    return {
        "description": description,
        "headers": headers(*REFUSAL, *own_headers),
        "content": {"application/json": {"schema": ErrorBody, "example": example}},
    }


def responses(*names: str) -> dict[str, Any]:
    """References to refusals by status, for one operation."""
    return {
        str(REFUSALS[name].error.status): {"$ref": f"#/components/responses/{name}"}
        for name in names
    }
