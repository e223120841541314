"""The MCP endpoint: admit a request, then respond in JSON-RPC."""

from functools import lru_cache
from typing import Any, NamedTuple

import orjson
from flask import Blueprint, Request, Response
from werkzeug.datastructures import Headers, MIMEAccept
from werkzeug.http import parse_accept_header, parse_options_header
from werkzeug.routing import Rule

from orgctx.errors import ApiError, InternalError
from orgctx.gate.admission import Admission, Gate, check_method
from orgctx.http import body, current, reads
from orgctx.mcp import dispatch, messages
from orgctx.mcp.messages import RpcError, error_document
from orgctx.mcp.methods import Exchange
from orgctx.mcp.origins import EXPOSED, PREFLIGHT, ForeignOrigin, is_allowed
from orgctx.mcp.protocol_versions import ProtocolVersion
from orgctx.observability.logs import begin_request, note_error

METHODS = ("POST",)
JSON = "application/json"
# Maximum length of the Accept header; clients list only a few types.
LONGEST_ACCEPT = 1024
PATHS = ("/api/mcp", "/api/mcp/")

routes = Blueprint("mcp", __name__)


class Message(NamedTuple):
    """A parsed body, or None and the error in it."""

    document: Any
    error: ApiError | RpcError | None = None


@routes.record
def _route(state: Any) -> None:
    """Route every HTTP method to the view, so that it can respond with 405."""
    for path in PATHS:
        state.app.url_map.add(Rule(path, endpoint="mcp.post"))


@routes.endpoint("mcp.post")
def post() -> Response:
    """Admit a request as REST does, then handle its message."""
    service, request = current.service(), current.request()
    origin = request.headers.get("Origin")
    if request.method == "OPTIONS" and origin and is_allowed(origin, service.config):
        preflight = respond(204, None)
        preflight.headers.update(PREFLIGHT)
        return preflight
    admission: Admission = current.admission()
    message = admit(service, request, admission)

    def open_exchange(version: ProtocolVersion) -> Exchange:
        return Exchange(version, service.gate.reader(admission), admission)

    def handle() -> Response:
        if message.error:
            raise message.error
        begin_request()
        if admission.recorded_reads:
            admission.recorded_reads.clear()
        return respond(*dispatch.answer(message.document, request.headers, open_exchange))

    response: Response = service.gate.answer(admission, handle)
    if admission.recorded_reads:
        reads.write(service.read_log, admission, interface="mcp")
    return response


def admit(service: Any, request: Request, admission: Admission) -> Message:
    """Check and charge the request, then return its message."""
    check_method(request.method, METHODS)
    origin = request.headers.get("Origin")
    if origin is not None and not is_allowed(origin, service.config):
        raise ForeignOrigin
    gate: Gate = service.gate
    gate.admit(admission, request.environ, request.headers.get("Authorization"), "mcp")
    message = read(request, admission)
    if further_calls := messages.further_calls(message.document):
        gate.charge_key(admission, cost=further_calls)
    return message


def read(request: Request, admission: Admission) -> Message:
    """Read the body. Errors are returned, and raised only after the request was charged.

    Raises BodyWithoutEnd, which leaves no time to charge it.
    """
    try:
        check_media_types(request.headers)
        assert admission.caller is not None
        tenant = admission.caller.organization.id
        return Message(messages.parse(body.read(request.environ, tenant, admission.deadline)))
    except body.BodyWithoutEnd:
        raise
    except (ApiError, RpcError) as error:
        return Message(None, error=error)


def respond(status: int, document: Any) -> Response:
    """Return a JSON response, or an empty one if there is no document."""
    content = b"" if document is None else orjson.dumps(document)
    response = current.JsonResponse(content, {}, status)
    if document is None:
        del response.headers["Content-Type"]
    response.headers["Cache-Control"] = "no-store"
    return response


@routes.errorhandler(ApiError)
def respond_api_error(error: ApiError) -> Response:
    """Answer an HTTP error as a JSON-RPC error, because clients show its message."""
    request_id = current.admission().request_id
    note_error(error)
    data = {"code": error.code, "requestId": request_id}
    response = respond(error.status, error_document(error.status, error.message, data=data))
    response.headers.update(error.headers)
    return response


@routes.errorhandler(RpcError)
def respond_rpc_error(error: RpcError) -> Response:
    """Answer a message that cannot be dispatched."""
    return respond(400, error.document())


@routes.errorhandler(Exception)
def respond_internal_error(error: Exception) -> Response:
    """Log a bug and answer 500."""
    note_error(error)
    return respond_api_error(InternalError())


@routes.after_request
def allow_origin(response: Response) -> Response:
    """Let scripts of an allowed Origin read the response, whatever its status."""
    origin = current.request().headers.get("Origin")
    if origin and is_allowed(origin, current.service().config):
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Expose-Headers"] = EXPOSED
        response.headers["Vary"] = "Origin"
    return response


class NotAcceptable(ApiError):
    status, code = 406, "not_acceptable"
    default_message = (
        "Responses are application/json; the Accept header must allow it and have at most 1,024 "
        "characters."
    )


class UnsupportedMediaType(ApiError):
    status, code = 415, "unsupported_media_type"
    default_message = (
        "Send JSON with the header `Content-Type: application/json`, and no `Content-Encoding`."
    )


def check_media_types(headers: Headers) -> None:
    """Raise UnsupportedMediaType unless the body is plain JSON, NotAcceptable for other answers.

    Clients also accept event streams, which this service never sends.
    """
    content_type = parse_options_header(headers.get("Content-Type"))[0].lower()
    if content_type != JSON or headers.get("Content-Encoding", "identity") != "identity":
        raise UnsupportedMediaType
    accept = headers.get("Accept", "")
    if len(accept) > LONGEST_ACCEPT or not _accepts_json(accept):
        raise NotAcceptable


@lru_cache(256)
def _accepts_json(accept: str) -> bool:
    types = parse_accept_header(accept, MIMEAccept)
    return not types or types.best_match([JSON]) is not None
