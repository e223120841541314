"""GET /api/v1/openapi.json, which needs no key."""

from __future__ import annotations

from functools import cache

from flask import Blueprint, Response, current_app, request

from orgctx.errors import InvalidParameter
from orgctx.http.conditional import conditional

routes = Blueprint("openapi", __name__)


@routes.get("/api/v1/openapi.json", provide_automatic_options=False)
def get_openapi() -> Response:
    """Return the contract, built on the first request."""
    if request.query_string:
        raise InvalidParameter("this path has no parameters")
    body = _document(current_app.extensions["orgctx"].config.base_url)
    return conditional(body, {"Cache-Control": "public, no-cache"})


@cache
def _document(base_url: str) -> bytes:
    from orgctx.openapi.document import build

    return build(base_url)
