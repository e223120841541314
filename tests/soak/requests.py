"""The requests of the clients: all of REST and MCP, HEAD requests, and invalid requests."""

from collections.abc import Iterator
from http.client import HTTPConnection
from random import Random
from typing import Any, NamedTuple

import orjson

from tests.support import crawl

# Requests of the kind OPEN are answered before the key is checked.
REST, MCP, HEAD, ERROR, OPEN = "REST", "MCP", "HEAD", "error", "before the key"
# Status, ETag and body without the request id: equal data gives equal answers.
Answer = tuple[int, str, bytes]


class Request(NamedTuple):
    """A request, which any key can send. kind: one of the constants above."""

    kind: str
    method: str
    path: str
    body: bytes = b""

    def headers(self, key: str, etag: str = "") -> dict[str, str]:
        """etag: of the answer that the client already has."""
        headers = {"Authorization": f"Bearer {key}"}
        if etag:
            headers["If-None-Match"] = etag
        if self.body:
            headers["Content-Type"] = "application/json"
        return headers


def exchange(connection: HTTPConnection, request: Request, key: str, etag: str = "") -> Answer:
    """Send a request on a connection that opens when needed. Returns the answer."""
    headers = request.headers(key, etag)
    connection.request(request.method, request.path, request.body or None, headers)
    response = connection.getresponse()
    return answer_of(response.status, dict(response.getheaders()), response.read())


def answer_of(status: int, headers: dict[str, str], body: bytes) -> Answer:
    request_id = headers.get("X-Request-Id", "").encode()
    return status, headers.get("ETag", ""), body.replace(request_id, b"-") if request_id else body


def requests(most: int | None = None) -> list[Request]:
    """Return all requests, or at most so many of each kind, which are the same in every run."""
    random, kinds = Random(7), dict[str, list[Request]]()
    for request in dict.fromkeys(_all()):
        kinds.setdefault(request.kind, []).append(request)
    return [
        request
        for group in kinds.values()
        for request in (group if most is None else random.sample(group, min(most, len(group))))
    ]


def _all() -> Iterator[Request]:
    for path, (name, arguments) in crawl.reads().items():
        yield Request(REST, "GET", path)
        yield Request(HEAD, "HEAD", path)
        yield message("tools/call", {"name": name, "arguments": arguments})
    yield message("tools/list", {})
    yield message("initialize", {"protocolVersion": "2025-06-18"})
    yield message("nothing", {})
    for method, path in crawl.ERRORS:
        yield Request(OPEN if method == "POST" else ERROR, method, crawl.PREFIX + path)
    yield Request(OPEN, "GET", f"{crawl.PREFIX}/context", b"{}")
    yield Request(OPEN, "GET", "/healthz")
    yield Request(OPEN, "GET", f"{crawl.PREFIX}/openapi.json")


def message(method: str, params: dict[str, Any]) -> Request:
    document = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return Request(MCP, "POST", "/api/mcp", orjson.dumps(document))
