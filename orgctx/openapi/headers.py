"""Response headers as shared components.

A component is named after its header. If its value depends on the kind of response, a suffix
follows after a dot.
"""

from __future__ import annotations

from typing import Any

from orgctx.resources.catalog import OPERATIONS
from orgctx.schemas.payload import fields_of

RATE_LIMIT = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
RATE_LIMIT_IF_COUNTED = tuple(f"{name}.if-counted" for name in RATE_LIMIT)
EVERY = ("X-Request-Id", "X-Content-Type-Options")
SUCCESS = (*EVERY, *RATE_LIMIT, "ETag", "Cache-Control.private", "Vary")
PUBLIC_SUCCESS = (*EVERY, *RATE_LIMIT, "ETag", "Cache-Control.public")
ERROR = (*EVERY, "Cache-Control.error")


def _text(description: str, example: str, **schema: Any) -> dict[str, Any]:
    return _header(description, example, type="string", **schema)


def _count(description: str, example: int, **schema: Any) -> dict[str, Any]:
    return _header(description, example, type="integer", minimum=0, **schema)


def _always(description: str, value: str) -> dict[str, Any]:
    return _text(description, value, const=value)


def _header(description: str, example: Any, **schema: Any) -> dict[str, Any]:
    return {"description": description, "required": True, "schema": schema, "example": example}


_PAGED = [operation.path for operation in OPERATIONS if "page" in fields_of(operation.arguments)]
_LINK = f"/api/v1{_PAGED[0]}?page="

HEADERS: dict[str, dict[str, Any]] = {
    "X-Request-Id": _text(
        "Identifies this request in logs and in reports of errors.",
        "0d6f2f44-5f0c-4d0e-9a43-1f1d6d1f5a11",
        format="uuid",
    ),
    "X-Content-Type-Options": _always(
        "Keeps browsers from guessing another content type.", "nosniff"
    ),
    "RateLimit-Limit": _count(
        "Requests per minute of the limit that has the fewest requests left: of the API key, "
        "the organization or the IP address.",
        120,
    ),
    "RateLimit-Remaining": _count("Requests left after this one.", 119),
    "RateLimit-Reset": _count("Seconds until the window ends.", 42, maximum=60),
    "Retry-After": _count("Seconds to wait before a retry.", 42, maximum=60),
    "ETag": _text(
        "Identifies this representation. Send it back in If-None-Match.",
        '"65dd59f400c78f55fb8b57a0fb60a23d"',
        pattern='^"[^"]+"$',
    ),
    "Cache-Control.private": _always(
        "Only the client may store the answer, and revalidates it before each use.",
        "private, no-cache",
    ),
    "Cache-Control.public": _always(
        "Any cache may store the answer, and revalidates it before each use.", "public, no-cache"
    ),
    "Cache-Control.error": _always("Errors are never stored.", "no-store"),
    "Vary": _always("Answers depend on the key.", "Authorization"),
    "Link": _text(
        "Links to the first, previous, next and last page (RFC 8288).",
        ", ".join(
            f'<{_LINK}{page}>; rel="{relation}"'
            for page, relation in ((1, "first"), (1, "prev"), (3, "next"), (3, "last"))
        ),
    ),
    "WWW-Authenticate": _text("How to authenticate.", 'Bearer realm="orgctx"'),
    "Allow": _always("The methods of every path.", "GET, HEAD"),
}
HEADERS |= {
    f"{name}.if-counted": {
        **HEADERS[name],
        "description": f"{HEADERS[name]['description']} Absent if the request was not counted.",
        "required": False,
    }
    for name in RATE_LIMIT
}


def headers(*components: str) -> dict[str, Any]:
    """Return references to these components, for one response."""
    return {
        component.partition(".")[0]: {"$ref": f"#/components/headers/{component}"}
        for component in components
    }
