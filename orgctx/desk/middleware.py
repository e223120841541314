"""WSGI middleware: answers probes, and refuses requests to other addresses than the desk's.

Probes do not know the desk's host name. Another one could belong to an attacker's page (DNS
rebinding), and cookies and forms work only at the address in ORGCTX_DESK_URL.

There is no `/readyz`: without its database or Redis, the desk says so on a page of its own, which
people could not see if a load balancer took the desk away.
"""

from collections.abc import Iterable
from html import escape
from typing import Any
from urllib.parse import urlsplit

from orgctx.config.settings import Config
from orgctx.gate.client_address import logged_address
from orgctx.observability import logs

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


PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Another address · orgctx desk</title>
<main>
<h1>Another address</h1>
<p>The desk is at <a href="{url}">{url}</a>. Open it there.
Operators set the address with <code>ORGCTX_DESK_URL</code>.</p>
</main>
"""


class OnlyHost:
    """Lets requests with the host of ORGCTX_DESK_URL through to `application`."""

    def __init__(self, application: Any, config: Config) -> None:
        self._application = application
        self._config = config
        self._host = urlsplit(config.desk_url).netloc
        self._page = PAGE.format(url=escape(config.desk_url)).encode()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if environ.get("HTTP_HOST", "").lower() == self._host:
            body: Iterable[bytes] = self._application(environ, start_response)
            return body
        logs.begin_request()
        logs.log_request(
            method=environ["REQUEST_METHOD"],
            route=None,
            status=421,
            client=logged_address(environ, self._config),
        )
        headers = [
            ("Content-Type", "text/html; charset=utf-8"),
            ("Content-Length", str(len(self._page))),
            ("Cache-Control", "no-store"),
        ]
        start_response("421 Misdirected Request", headers)
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [self._page]
