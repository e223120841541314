"""The requests that benches measure."""

from dataclasses import dataclass, field
from urllib.parse import quote, urlencode

import orjson

from bench.dataset import ABSENT, COMMON, LONGEST_EVERY, RARE, SCALES, chat, document, identity
from bench.server_process import ServerProcess

CONNECTIONS = (1, 8, 32)
UNKNOWN_KEY = "octx_" + "0" * 34
MCP_VERSION = "2025-06-18"
WORDS = f"{RARE} {ABSENT} {COMMON}"


@dataclass(frozen=True)
class Case:
    """One request."""

    name: str
    path: str
    query: dict[str, str | int] = field(default_factory=dict)
    status: int = 200
    body: bytes = b""  # makes it a POST to MCP, which the peers do not have
    is_conditional: bool = False  # sent with the ETag of a first answer
    is_unauthorized: bool = False

    def is_for(self, server: ServerProcess) -> bool:
        """Whether the server can answer it."""
        return not (self.body and server.is_peer)

    def request(self, key: str, etag: str = "") -> bytes:
        """Return the bytes to send."""
        query = f"?{urlencode(self.query)}" if self.query else ""
        lines = [
            f"{'POST' if self.body else 'GET'} {self.path}{query} HTTP/1.1",
            "Host: 127.0.0.1",
            f"Authorization: Bearer {key}",
            "Accept: application/json" + (", text/event-stream" if self.body else ""),
        ]
        if self.body:
            lines += ["Content-Type: application/json", f"Content-Length: {len(self.body)}"]
            # Only older versions have batches.
            if not self.body.startswith(b"["):
                lines += [f"MCP-Protocol-Version: {MCP_VERSION}"]
        if etag:
            lines.append(f"If-None-Match: {etag}")
        return "\r\n".join([*lines, "", ""]).encode() + self.body


def cases(scale: str) -> list[Case]:
    """Return all cases; they read the large organization of a scale."""
    size = SCALES[scale][1]
    api = "/api/v1"
    messages = f"{api}/telegram/chats/{chat(1, 1)}/messages"
    asset = f"{api}/assets/{identity(1, 4, size.assets)}"
    longest = quote(document(1, min(LONGEST_EVERY, size.knowledge)), safe="")
    call = rpc("tools/call", name="read_asset", arguments={"id": asset.rpartition("/")[2]})
    # Nothing is found, so the tool looks for each word.
    few_found = rpc("tools/call", name="search_context", arguments={"q": WORDS})
    return [
        Case("small object", asset),
        Case("50 messages", messages),
        Case("100 messages", messages, {"limit": 100}),
        Case("context", f"{api}/context"),
        Case("search common", f"{api}/search", {"q": COMMON}),
        Case("search rare", f"{api}/search", {"q": RARE}),
        Case("search absent", f"{api}/search", {"q": ABSENT}),
        Case("search absent words", f"{api}/search", {"q": WORDS}),
        Case("search 1 character", f"{api}/search", {"q": "e"}),
        Case("document segment", f"{api}/knowledge/{longest}", {"offset": size.longest // 2}),
        Case("people page", f"{api}/people"),
        Case("304", messages, status=304, is_conditional=True),
        Case("401", messages, status=401, is_unauthorized=True),
        Case("tools/list", "/api/mcp", body=orjson.dumps(rpc("tools/list"))),
        Case("tools/call", "/api/mcp", body=orjson.dumps(call)),
        Case("tools/call, absent words", "/api/mcp", body=orjson.dumps(few_found)),
    ]


def rpc(method: str, **params: object) -> dict[str, object]:
    """Return a message of MCP."""
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
