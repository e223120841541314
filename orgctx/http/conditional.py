"""Conditional responses: ETag and 304."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Response

from orgctx.http import current
from orgctx.http.reads import etag_of


def conditional(body: bytes, headers: Mapping[str, str]) -> Response:
    """Return a JSON response with the ETag of its bytes; 304 if If-None-Match contains the ETag."""
    response = Response(body, mimetype="application/json", headers=headers)
    return revalidate(response, etag_of(body))


def revalidate(response: Response, etag: str) -> Response:
    """Set the response's ETag; turn it into a 304 if If-None-Match contains the ETag."""
    response.set_etag(etag)
    # Not make_conditional: it also evaluates If-Match, and its 412 contains the data.
    if current.request().if_none_match.contains_weak(etag):
        response.status_code = 304
    return response
