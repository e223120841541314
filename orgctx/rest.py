"""REST: turn operations into routes, and envelopes into JSON with headers, ETag and 304."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from flask import Blueprint, Response

from orgctx.errors import InvalidParameter
from orgctx.gate.admission import Admission, Gate, check_method, check_no_body
from orgctx.http import current
from orgctx.http.conditional import conditional
from orgctx.operations.operation import Operation, Resource, execute
from orgctx.schemas.arguments import parse_text
from orgctx.schemas.envelope import check_size, to_json

PREFIX = "/api/v1"
METHODS = ("GET", "HEAD")
MAX_PARAMETERS = 100
# These paths need no key. All others below the prefix do, even if they do not exist.
PUBLIC_PATHS = frozenset({f"{PREFIX}/openapi.json"})
SUCCESS_HEADERS = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}


def blueprint(one: Resource) -> Blueprint:
    """The routes of one resource."""
    routes = Blueprint(one.name, __name__, url_prefix=PREFIX)
    for operation in one.operations:
        routes.add_url_rule(
            operation.path.replace("{", "<").replace("}", ">"),
            endpoint=operation.name,
            view_func=_view(operation),
            methods=["GET"],
            provide_automatic_options=False,
        )
    return routes


def admit(*, is_plain: bool) -> None:
    """Admit a request of any path below /api/v1, before routing answers.

    is_plain: whether the path may be that of an operation. Other paths are never verified, so
    no caller is recalled for them.
    """
    gate: Gate = current.service().gate
    admission: Admission = current.admission()
    request = current.request()
    check_method(request.method, METHODS)
    check_no_body(request.environ)
    authorization = request.headers.get("Authorization")
    is_public = request.path in PUBLIC_PATHS
    may_recall = is_plain and request.url_rule is not None and not is_public
    if may_recall and gate.admit_cached(admission, request.environ, authorization, "api"):
        return
    gate.charge_ip(admission, request.environ)
    if is_public:
        return
    limits = gate.authenticate(admission, authorization, "api")
    gate.charge_key(admission, limits)


def _view(operation: Operation) -> Any:
    def view(**path: str) -> Response:
        gate: Gate = current.service().gate
        return gate.with_verification(current.admission(), lambda: answer(path))

    def answer(path: dict[str, str]) -> Response:
        service, request = current.service(), current.request()
        admission: Admission = current.admission()
        caller = admission.caller
        assert caller is not None
        envelope, found = execute(
            operation,
            caller,
            admission.stores(service),
            admission.deadline,
            lambda: parse_text(operation.arguments, query_pairs(request.environ), path),
        )
        response = respond(envelope)
        if found.pagination and "total_pages" in found.pagination:
            response.headers["Link"] = links(
                service.config.base_url + request.path,
                request.args.to_dict(),
                found.pagination["page"],
                found.pagination["total_pages"],
            )
        return response

    return view


def respond(envelope: Mapping[str, Any]) -> Response:
    """200 with the JSON of an envelope, or 304 if the request already holds it."""
    body = to_json(envelope)
    check_size(len(body))
    return conditional(body, SUCCESS_HEADERS)


def query_pairs(environ: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The query string's names and values. Raises InvalidParameter, also for the path."""
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
    """The Link header of a numbered page (RFC 8288)."""
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
