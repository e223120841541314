"""What the clients ask: all of REST and MCP, HEAD requests, and faulty requests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import orjson

from tests.support import crawl

REST, MCP, HEAD, ERROR, OPEN = "REST", "MCP", "HEAD", "error", "before the key"
CONDITIONAL = "conditional"
OPENED = ("GET", "HEAD")


@dataclass(frozen=True)
class Ask:
    """One request, whoever sends it. kind: one of the above; those of OPEN need no key."""

    kind: str
    method: str
    path: str
    body: bytes = b""

    def request(self, key: str, etag: bytes = b"") -> bytes:
        """Its bytes. etag: of the answer that the client already has."""
        head = (
            f"{self.method} {self.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}"
        )
        if etag:
            head += f"\r\nIf-None-Match: {etag.decode()}"
        if self.body:
            head += f"\r\nContent-Type: application/json\r\nContent-Length: {len(self.body)}"
        if self.body and self.method in OPENED:
            # Other tests use a connection after a refused body, so these close it.
            head += "\r\nConnection: close"
        return f"{head}\r\n\r\n".encode() + self.body


def asks(most: int | None = None) -> list[Ask]:
    """All requests, or at most `most` of each kind, which are the same in every run."""
    random, kinds = Random(7), dict[str, list[Ask]]()
    for ask in _all():
        kinds.setdefault(ask.kind, []).append(ask)
    chosen = [found if most is None or len(found) <= most else random.sample(found, most)
              for found in kinds.values()]  # fmt: skip
    return [ask for found in chosen for ask in found]


def _all() -> Iterator[Ask]:
    for path, (name, arguments) in crawl.reads().items():
        yield Ask(REST, "GET", path)
        yield Ask(HEAD, "HEAD", path)
        typed = {key: value == "true" if key == "archived" else value
                 for key, value in arguments.items()}  # fmt: skip
        yield _message("tools/call", {"name": name, "arguments": typed})
    yield _message("tools/list", {})
    yield _message("initialize", {"protocolVersion": "2025-06-18"})
    yield _message("nothing", {})
    for path in (
        "/knowledge?page=0",
        "/people?querry=a",
        "/nothing",
        "/assets/1",
        "/search?limit=51",
    ):
        yield Ask(ERROR, "GET", crawl.PREFIX + path)
    yield Ask(OPEN, "POST", f"{crawl.PREFIX}/context")
    yield Ask(OPEN, "GET", f"{crawl.PREFIX}/context", b"{}")
    yield Ask(OPEN, "GET", "/healthz")
    yield Ask(OPEN, "GET", f"{crawl.PREFIX}/openapi.json")


def _message(method: str, params: dict[str, Any]) -> Ask:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return Ask(MCP, "POST", "/api/mcp", orjson.dumps(message))
