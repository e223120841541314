"""Describe error responses: one body for all, and a shared response for each error."""

from __future__ import annotations

from typing import Any, NamedTuple

from orgctx import errors
from orgctx.openapi.headers import (
    ERROR,
    HEADERS,
    RATE_LIMIT,
    RATE_LIMIT_IF_COUNTED,
    headers,
)
from orgctx.schemas.fields import Nested, Text
from orgctx.schemas.formats import Uuid
from orgctx.schemas.payload import Payload

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
    """A shared error response."""

    error: type[errors.ApiError]
    description: str
    message: str  # an example
    headers: tuple[str, ...] = ()  # besides those of all errors


ERROR_RESPONSES: dict[str, ErrorResponse] = {
    "InvalidParameter": ErrorResponse(
        errors.InvalidParameter,
        "A parameter is unknown, repeated, malformed or out of range.",
        "page must be an integer from 1 to 10000",
        RATE_LIMIT,
    ),
    "Unauthorized": ErrorResponse(
        errors.Unauthorized,
        "The key is missing, unknown, expired or revoked, has no API access, or its issuer "
        "is no longer an owner or admin.",
        errors.Unauthorized.default_message,
        ("WWW-Authenticate",),
    ),
    "InsufficientScope": ErrorResponse(
        errors.InsufficientScope,
        "The key lacks the scope that the message names.",
        "This key lacks the scope knowledge:read; an owner or admin of the organization "
        "can add it.",
        RATE_LIMIT,
    ),
    "NotFound": ErrorResponse(
        errors.NotFound,
        "Nothing is stored under this id, or no approved source of this key exposes it.",
        errors.NotFound.default_message,
        RATE_LIMIT,
    ),
    "MethodNotAllowed": ErrorResponse(
        errors.MethodNotAllowed,
        "The method is not GET or HEAD.",
        errors.MethodNotAllowed("GET, HEAD").message,
        ("Allow",),
    ),
    "SourceConflict": ErrorResponse(
        errors.SourceConflict,
        "The stored data was collected for another account than the source has now.",
        "The stored mentions were collected for another X account than the one connected now; "
        "they can be read once mentions of the connected account are stored.",
        RATE_LIMIT,
    ),
    "BodyNotAccepted": ErrorResponse(
        errors.BodyNotAccepted,
        "The request has a body.",
        errors.BodyNotAccepted.default_message,
    ),
    "RateLimited": ErrorResponse(
        errors.RateLimited,
        "The rate limit of the key, the organization or the IP address is exceeded; the message "
        "names which.",
        errors.RateLimited("API key", 42).message,
        (*RATE_LIMIT, "Retry-After"),
    ),
    "InternalError": ErrorResponse(
        errors.InternalError,
        "An internal error of the service.",
        errors.InternalError.default_message,
        RATE_LIMIT_IF_COUNTED,
    ),
    "ServiceUnavailable": ErrorResponse(
        errors.ServiceUnavailable,
        "The database or the quota store is unavailable. Retry with backoff.",
        errors.ServiceUnavailable.default_message,
        (*RATE_LIMIT_IF_COUNTED, "Retry-After"),
    ),
    "RequestTimeout": ErrorResponse(
        errors.RequestTimeout,
        "The request timed out. Retry with backoff.",
        errors.RequestTimeout.default_message,
    ),
}


def response(name: str) -> dict[str, Any]:
    """Return the shared response of this name."""
    error, description, message, error_headers = ERROR_RESPONSES[name]
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
