"""Paths as the client sent them; WSGI and Werkzeug decode them and merge slashes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit


def as_sent(environ: Mapping[str, Any]) -> str:
    """Return the path of the request line, still percent-encoded if the server provides it."""
    target: str = environ.get("RAW_URI") or environ.get("REQUEST_URI") or ""
    if not target:
        return str(environ.get("PATH_INFO", ""))
    if target.startswith("/"):
        return target.partition("?")[0].partition("#")[0]
    # An absolute URL, as clients send to proxies.
    try:
        return urlsplit(target).path
    except ValueError:
        return target


def is_plain(path: str) -> bool:
    """Return whether a path has no encoded or leading double slash: proxy rules would miss them."""
    return not path.startswith("//") and "%2f" not in path.lower()
