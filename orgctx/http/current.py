"""The current request and its path, its admission and the service, and headers of responses.

The functions use no proxies of Flask: each access through one takes 1 µs, and a request would need
25 of them.
"""

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

import flask
from flask import Request, Response

from orgctx.schemas.payload import etag_of

_application = flask.current_app._get_current_object  # type: ignore[attr-defined]
_globals = flask.g._get_current_object
_request = flask.request._get_current_object  # type: ignore[attr-defined]


def service() -> Any:
    return _application().extensions["orgctx"]


def admission() -> Any:
    return _globals().admission


def request() -> Request:
    request: Request = _request()
    return request


def path_as_sent(environ: Mapping[str, Any]) -> str:
    """Return the path of the request line, still percent-encoded if the server provides it.

    WSGI and Werkzeug decode paths and merge slashes.
    """
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


class JsonResponse(Response):
    """A response whose headers are complete; Werkzeug would copy and examine them again."""

    def __init__(self, body: bytes, headers: Mapping[str, str], status: int = 200) -> None:
        super().__init__(body, status, headers, content_type="application/json")

    def get_wsgi_response(
        self, environ: dict[str, Any]
    ) -> tuple[Iterable[bytes], str, list[tuple[str, str]]]:
        if self.status_code in (204, 304) or environ["REQUEST_METHOD"] == "HEAD":
            return super().get_wsgi_response(environ)
        return self.iter_encoded(), self.status, self.headers.to_wsgi_list()


def conditional(body: bytes, headers: Mapping[str, str]) -> Response:
    """Return a JSON response with the ETag of its bytes; 304 if If-None-Match contains the ETag."""
    return revalidate(JsonResponse(body, headers), etag_of(body))


def compressed(
    body: bytes, gzipped: bytes, etag: str, content_type: str, headers: Mapping[str, str]
) -> Response:
    """Return a public document, with gzip for clients that accept it; 304 as `revalidate`.

    Only what depends on no key may be compressed: the size would tell about the rest of an answer.

    Args:
        gzipped: the body compressed.
        etag: of the body; that of the compressed one differs.
    """
    is_gzipped = request().accept_encodings["gzip"] > 0
    response = Response(
        gzipped if is_gzipped else body,
        content_type=content_type,
        headers={**headers, "Vary": "Accept-Encoding"},
    )
    if is_gzipped:
        response.headers["Content-Encoding"] = "gzip"
    return revalidate(response, f"{etag}-gzip" if is_gzipped else etag)


def revalidate(response: Response, etag: str) -> Response:
    """Set the response's ETag; turn it into a 304 if If-None-Match contains the ETag."""
    response.set_etag(etag)
    # Not make_conditional: it evaluates If-Match, and accepts tags without quotes.
    tags = request().environ.get("HTTP_IF_NONE_MATCH", "").strip()
    if tags == "*" or f'"{etag}"' in tags:
        response.status_code = 304
    return response
