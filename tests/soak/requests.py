"""The requests of the clients: all of REST and MCP, HEAD requests, and invalid requests."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import orjson

from tests.support import crawl
from tests.support import factories as make

# Requests of the kind OPEN are answered before the key is checked.
REST, MCP, HEAD, ERROR, OPEN = "REST", "MCP", "HEAD", "error", "before the key"
CONDITIONAL = "conditional"
INVALID_PATHS = (
    "/knowledge?page=0", "/people?querry=a", "/nothing", "/assets/1", "/search?limit=51",
)  # fmt: skip


@dataclass(frozen=True)
class Request:
    """A request, which any key can send. kind: one of the constants above."""

    kind: str
    method: str
    path: str
    body: bytes = b""

    def encode(self, key: str, etag: bytes = b"") -> bytes:
        """Return the bytes to send. etag: of the answer that the client already has."""
        lines = [f"{self.method} {self.path} HTTP/1.1", "Host: 127.0.0.1"]
        lines.append(f"Authorization: Bearer {key}")
        if etag:
            lines.append(f"If-None-Match: {etag.decode()}")
        if self.body:
            lines += ["Content-Type: application/json", f"Content-Length: {len(self.body)}"]
        if self.body and self.method != "POST":
            # The service rejects the body; other tests keep such a connection.
            lines.append("Connection: close")
        return "\r\n".join([*lines, "", ""]).encode() + self.body


def requests(limit: int | None = None) -> list[Request]:
    """Return all requests, or at most `limit` of each kind, which are the same in every run."""
    random, kinds = Random(7), dict[str, list[Request]]()
    for request in _all():
        kinds.setdefault(request.kind, []).append(request)
    chosen = (
        group if limit is None or len(group) <= limit else random.sample(group, limit)
        for group in kinds.values()
    )
    return [*dict.fromkeys(request for group in [*chosen, [files()]] for request in group)]


def files() -> Request:
    """Return the search that lists all files, from which `Expected` learns their places."""
    return tool_call("search_context", {"source": make.KIND_SOURCES["assets"], "limit": 50})


def _all() -> Iterator[Request]:
    for path, (name, arguments) in crawl.reads().items():
        yield Request(REST, "GET", path)
        yield Request(HEAD, "HEAD", path)
        yield tool_call(name, arguments)
    yield _message("tools/list", {})
    yield _message("initialize", {"protocolVersion": "2025-06-18"})
    yield _message("nothing", {})
    for path in INVALID_PATHS:
        yield Request(ERROR, "GET", crawl.PREFIX + path)
    yield Request(OPEN, "POST", f"{crawl.PREFIX}/context")
    yield Request(OPEN, "GET", f"{crawl.PREFIX}/context", b"{}")
    yield Request(OPEN, "GET", "/healthz")
    yield Request(OPEN, "GET", f"{crawl.PREFIX}/openapi.json")


def tool_call(name: str, arguments: dict[str, Any]) -> Request:
    """Return the call of a tool with arguments of a REST path."""
    # Tools take booleans where REST takes texts.
    typed = {key: value == "true" if key == "archived" else value
             for key, value in arguments.items()}  # fmt: skip
    return _message("tools/call", {"name": name, "arguments": typed})


def _message(method: str, params: dict[str, Any]) -> Request:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return Request(MCP, "POST", "/api/mcp", orjson.dumps(message))
