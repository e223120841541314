"""Respond to errors that occur before the service sees a request, as the contract describes."""

from http import HTTPStatus
from uuid import uuid4

import orjson

from orgctx.errors import ApiError, InternalError, MalformedRequest, ServiceUnavailable
from orgctx.http.current import HEADERS, POLICY
from orgctx.server import gunicorn_private as private
from orgctx.server.request_headers import HeadTooLarge, LineTooLong, UnknownCoding


class UnknownExpectation(ApiError):
    status, code = 417, "expectation_failed"
    default_message = "Unsupported `Expect` header; only `100-continue` is supported."


class TooManyConnections(ApiError):
    status, code = 429, "too_many_connections"
    default_message = (
        "Too many open connections from this address. Send many requests on one connection."
    )


class NoFreeConnection(ServiceUnavailable):
    default_message = "The server has too many open connections. Retry with backoff."


ERRORS: dict[type[Exception], type[ApiError]] = {
    private.LimitRequestLine: LineTooLong,
    private.LimitRequestHeaders: HeadTooLarge,
    private.ExpectationFailed: UnknownExpectation,
    private.UnsupportedTransferCoding: UnknownCoding,
}


def api_error(error: BaseException) -> ApiError:
    """Return the ApiError for an exception that was raised outside the service."""
    if isinstance(error, ApiError):
        return error
    for exception, api_error_class in ERRORS.items():
        if isinstance(error, exception):
            return api_error_class()
    if isinstance(error, private.ParseException):
        return MalformedRequest()
    return InternalError()


def error_response(error: ApiError) -> bytes:
    """Return the bytes of a complete HTTP response that closes the connection."""
    request_id = str(uuid4())
    body = orjson.dumps(error.body(request_id))
    headers = [
        ("Content-Type", "application/json"),
        ("Content-Length", str(len(body))),
        ("Cache-Control", "no-store"),
        ("X-Request-Id", request_id),
        ("Connection", "close"),
        *HEADERS,
        ("Content-Security-Policy", POLICY),
        *error.headers.items(),
    ]
    lines = [f"HTTP/1.1 {error.status} {HTTPStatus(error.status).phrase}"]
    lines += [f"{name}: {value}" for name, value in headers]
    return "\r\n".join([*lines, "", ""]).encode() + body
