"""REST: turn operations into routes, and envelopes into JSON with headers, ETag and 304."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from flask import Blueprint, Response

from orgctx.errors import InvalidParameter
from orgctx.gate.admission import Admission, Gate, check_method, check_no_body
from orgctx.http import current, reads
from orgctx.http.current import conditional
from orgctx.operations.execution import execute
from orgctx.operations.operation import Operation, Resource
from orgctx.schemas.arguments import parse_text
from orgctx.schemas.payload import LARGE_ANSWER_BYTES, check_size, to_json
from orgctx.stores.deadline import let_others_run

PREFIX = "/api/v1"
METHODS = ("GET", "HEAD")
MAX_PARAMETERS = 100
# These paths need no key. All others of the API do, even if they do not exist.
PUBLIC_PATHS = frozenset({f"{PREFIX}/openapi.json"})
SUCCESS_HEADERS = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}


def is_rest_path(path: str) -> bool:
    """Return whether a path belongs to REST, known or not."""
    return path == PREFIX or path.startswith(f"{PREFIX}/")


def blueprint(resource: Resource) -> Blueprint:
    routes = Blueprint(resource.name, __name__, url_prefix=PREFIX)
    for operation in resource.operations:
        routes.add_url_rule(
            operation.path.replace("{", "<").replace("}", ">"),
            endpoint=operation.name,
            view_func=_view(operation),
            methods=["GET"],
            provide_automatic_options=False,
        )
    return routes


def admit(*, is_plain: bool) -> None:
    """Admit a request of any path of REST, before its view runs. MCP admits in its view.

    is_plain: whether the path can be that of an operation. Other paths have no view that verifies a
    cached caller.
    """
    gate: Gate = current.service().gate
    admission: Admission = current.admission()
    request = current.request()
    check_method(request.method, METHODS)
    check_no_body(request.environ)
    if request.path in PUBLIC_PATHS:
        gate.charge_address(admission, request.environ)
        return
    authorization = request.headers.get("Authorization")
    has_view = is_plain and request.url_rule is not None
    gate.admit(admission, request.environ, authorization, "api", is_verified_later=has_view)


def _view(operation: Operation) -> Any:
    def view(**path: str) -> Response:
        gate: Gate = current.service().gate
        admission: Admission = current.admission()
        response = gate.answer(admission, lambda: respond(path))
        if admission.recorded_reads:
            reads.write(current.service().read_log, admission, interface="rest")
        return response

    def respond(path: dict[str, str]) -> Response:
        service, request = current.service(), current.request()
        admission: Admission = current.admission()
        envelope, result = execute(
            operation,
            service.gate.reader(admission),
            lambda: parse_text(operation.arguments, query_pairs(request.environ), path),
        )
        body = to_json(envelope)
        check_size(len(body))
        if len(body) > LARGE_ANSWER_BYTES:
            let_others_run()
        sunset_headers = operation.sunset.headers if operation.sunset else {}
        response = conditional(body, SUCCESS_HEADERS | sunset_headers)
        if admission.recorded_reads is not None:
            etag, _ = response.get_etag()
            read = reads.read_of(operation, result, path, etag or "", response.status_code)
            admission.recorded_reads[:] = [read]
        if result.pagination and "total_pages" in result.pagination:
            response.headers["Link"] = links(
                service.config.base_url + request.path,
                request.args.to_dict(),
                result.pagination["page"],
                result.pagination["total_pages"],
            )
        return response

    return view


def query_pairs(environ: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Parse the query string to names and values. Raises InvalidParameter, even for the path."""
    try:
        environ["PATH_INFO"].encode("latin-1").decode("utf-8")
        query = environ.get("QUERY_STRING", "").encode("latin-1").decode("utf-8")
        return parse_qsl(
            query, keep_blank_values=True, errors="strict", max_num_fields=MAX_PARAMETERS
        )
    except UnicodeError:
        raise InvalidParameter("the path and the query must be percent-encoded UTF-8") from None
    except ValueError:
        raise InvalidParameter(f"the query must have at most {MAX_PARAMETERS} parameters") from None


def links(url: str, query: dict[str, str], page: int, total_pages: int) -> str:
    """Return the Link header of a numbered page (RFC 8288)."""
    last = max(1, total_pages)
    pages = {"first": 1, "prev": page - 1, "next": page + 1, "last": last}
    if page <= 1:
        del pages["prev"]
    elif page > last:
        pages["prev"] = last
    if page >= last:
        del pages["next"]
    return ", ".join(
        f'<{url}?{urlencode({**query, "page": number})}>; rel="{name}"'
        for name, number in pages.items()
    )
