"""Answer errors that occur before the service sees a request, as the contract describes them."""

from __future__ import annotations

from http import HTTPStatus
from uuid import uuid4

import orjson

from orgctx.errors import ApiError, InternalError, InvalidParameter
from orgctx.http.security_headers import HEADERS
from orgctx.server import gunicorn_private as private
from orgctx.server.request_headers import HeadTooLarge, LineTooLong


class UnknownExpectation(ApiError):
    status, code = 417, "expectation_failed"
    default_message = "Of the header Expect only 100-continue is understood."


class UnknownCoding(ApiError):
    status, code = 501, "unknown_transfer_coding"
    default_message = "Of the header Transfer-Encoding only chunked is understood."


class TooManyConnections(ApiError):
    status, code = 429, "too_many_connections"
    default_message = (
        "There are too many open connections from this address; use one for many requests."
    )


KINDS: dict[type[Exception], type[ApiError]] = {
    private.LimitRequestLine: LineTooLong,
    private.LimitRequestHeaders: HeadTooLarge,
    private.ExpectationFailed: UnknownExpectation,
    private.UnsupportedTransferCoding: UnknownCoding,
}


def refusal(error: BaseException) -> ApiError:
    """The error to answer for an exception that was raised outside the service."""
    if isinstance(error, ApiError):
        return error
    for kind, told in KINDS.items():
        if isinstance(error, kind):
            return told()
    if isinstance(error, private.ParseException):
        return InvalidParameter("The request line or a header is malformed.")
    return InternalError()


def answer(error: ApiError) -> bytes:
    """A complete HTTP response that closes the connection."""
    request_id = str(uuid4())
    body = orjson.dumps(error.body(request_id))
    headers = [
        ("Content-Type", "application/json"),
        ("Content-Length", str(len(body))),
        ("Cache-Control", "no-store"),
        ("X-Request-Id", request_id),
        ("Connection", "close"),
        *HEADERS,
        *error.headers.items(),
    ]
    lines = [f"HTTP/1.1 {error.status} {HTTPStatus(error.status).phrase}"]
    lines += [f"{name}: {value}" for name, value in headers]
    return "\r\n".join([*lines, "", ""]).encode() + body
