"""GET /api/v1/openapi.json, which needs no key."""

import gzip
from functools import cache

from flask import Blueprint, Response, current_app, request

from orgctx.errors import InvalidParameter
from orgctx.http.current import compressed
from orgctx.schemas.payload import etag_of

routes = Blueprint("openapi", __name__)


@routes.get("/api/v1/openapi.json", provide_automatic_options=False)
def get_openapi() -> Response:
    """Return the contract, built on the first request."""
    if request.query_string:
        raise InvalidParameter("this path has no parameters")
    body, gzipped = _document(current_app.extensions["orgctx"].config.base_url)
    headers = {"Cache-Control": "public, no-cache", "Access-Control-Allow-Origin": "*"}
    return compressed(body, gzipped, etag_of(body), "application/json", headers)


@cache
def _document(base_url: str) -> tuple[bytes, bytes]:
    """Return the document, and the same compressed with gzip."""
    from orgctx.openapi.document import build

    body = build(base_url)
    return body, gzip.compress(body, compresslevel=6, mtime=0)
