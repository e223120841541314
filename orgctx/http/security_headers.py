"""What browsers are told with every answer; they have no business here. A WSGI middleware:
nothing that the application does, or fails to do, comes after it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

HEADERS = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
]
ONLY_TLS = ("Strict-Transport-Security", "max-age=31536000")


class SecurityHeaders:
    """Adds the headers to each answer of `application`. base_url: tells whether TLS is used."""

    def __init__(self, application: Any, base_url: str) -> None:
        self._application = application
        self._headers = [*HEADERS, *([ONLY_TLS] if base_url.startswith("https:") else [])]

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            return start_response(status, headers + self._headers, exc_info)

        answer: Iterable[bytes] = self._application(environ, start)
        return answer
