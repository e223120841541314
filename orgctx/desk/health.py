"""WSGI middleware that answers probes, which do not know the desk's host name.

There is no `/readyz`: without its database or Redis, the desk says so on a page of its own, which
people could not see if a load balancer took the desk away.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

PATH = "/healthz"
BODY = b'{"status":"ok"}'


class Health:
    """Answers GET and HEAD of PATH while the process is up; all else is for `application`."""

    def __init__(self, application: Any) -> None:
        self._application = application

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        method = environ["REQUEST_METHOD"]
        if environ.get("PATH_INFO") != PATH or method not in ("GET", "HEAD"):
            body: Iterable[bytes] = self._application(environ, start_response)
            return body
        headers = [
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(BODY))),
            ("Cache-Control", "no-store"),
        ]
        start_response("200 OK", headers)
        return [] if method == "HEAD" else [BODY]
