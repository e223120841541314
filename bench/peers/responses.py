"""Build the bodies and headers of those peers that have no response models."""

from hashlib import sha256
from typing import Any
from uuid import uuid4

import orjson

from bench.peers import quota

Response = tuple[bytes, dict[str, str]]


def success(document: Any, counters: list[int]) -> Response:
    """Return a document as a body, with the response headers."""
    body = orjson.dumps(document, option=orjson.OPT_UTC_Z, default=str)
    return body, {
        "Cache-Control": "private, no-cache",
        "Vary": "Authorization",
        "ETag": f'"{sha256(body).hexdigest()[:32]}"',
        "X-Request-Id": str(uuid4()),
        "X-Content-Type-Options": "nosniff",
        **quota.headers(counters),
    }


def unauthorized() -> Response:
    """Return the body and the headers of a 401 response."""
    request_id = str(uuid4())
    error = {"code": "unauthorized", "message": "Invalid API key."}
    return orjson.dumps({"error": error, "requestId": request_id}), {
        "Cache-Control": "no-store",
        "WWW-Authenticate": "Bearer",
        "X-Request-Id": request_id,
        "X-Content-Type-Options": "nosniff",
    }
