"""WSGI middleware that adds security headers; outermost, so that error responses get them too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

HEADERS = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
]
POLICY = "default-src 'none'; frame-ancestors 'none'"
# The page sets its own policy in this member of the WSGI environment.
OWN_POLICY = "orgctx.content_security_policy"
ONLY_TLS = ("Strict-Transport-Security", "max-age=31536000")


class SecurityHeaders:
    """Adds the headers to each response of `application`.

    base_url: shows whether TLS is used. policy: of responses that do not set their own. referrer:
    the Referrer-Policy, if not that of HEADERS.
    """

    def __init__(
        self, application: Any, base_url: str, policy: str = POLICY, referrer: str = ""
    ) -> None:
        self._application, self._policy = application, policy
        headers = dict(HEADERS) | ({"Referrer-Policy": referrer} if referrer else {})
        self._headers = [*headers.items(), *([ONLY_TLS] if base_url.startswith("https:") else [])]

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            policy = ("Content-Security-Policy", environ.get(OWN_POLICY, self._policy))
            return start_response(status, [*headers, *self._headers, policy], exc_info)

        body: Iterable[bytes] = self._application(environ, start)
        return body
