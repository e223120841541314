"""A client of the MCP endpoint, with handshake or modern protocol versions."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support import factories as make
from tests.support.deployment import Deployment

PATH = "/api/mcp"
MODERN = "2026-07-28"
VERSION_META = "io.modelcontextprotocol/protocolVersion"
META = {VERSION_META: MODERN, "io.modelcontextprotocol/clientCapabilities": {}}

Json = dict[str, Any]


def request(method: str, params: Any = None, message_id: Any = 1) -> Json:
    """A JSON-RPC request."""
    message = {"jsonrpc": "2.0", "id": message_id, "method": method}
    return message if params is None else message | {"params": params}


def call(name: str, arguments: Any = None, message_id: Any = 1) -> Json:
    """A request to call a tool."""
    params = {"name": name} if arguments is None else {"name": name, "arguments": arguments}
    return request("tools/call", params, message_id)


def modern(message: Json) -> tuple[Json, dict[str, str]]:
    """The same request in the modern protocol version, and the headers that belong to it."""
    params = message.get("params") or {}
    headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": message["method"]}
    if "name" in params:
        headers["Mcp-Name"] = params["name"]
    return message | {"params": params | {"_meta": dict(META)}}, headers


@dataclass
class Endpoint:
    """Posts with one key. version: `handshake` or `modern`, used by `send` and its callers."""

    client: FlaskClient
    key: str
    version: str = "handshake"

    def post(self, document: Any, path: str = PATH, **headers: str) -> TestResponse:
        """POST a JSON value; keywords are headers, `_` for `-`."""
        return self.post_raw(json.dumps(document), path, **headers)

    def post_raw(self, body: str | bytes, path: str = PATH, **headers: str) -> TestResponse:
        """POST bytes as JSON."""
        sent = {
            "Authorization": f"Bearer {self.key}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.post(path, data=body, headers=sent)

    def send(self, message: Json) -> TestResponse:
        """POST a request in the protocol version of this endpoint."""
        if self.version == "modern":
            message, headers = modern(message)
            return self.post(message, **headers)
        return self.post(message)

    def result(self, method: str, params: Any = None) -> Json:
        """The result of a method that must succeed."""
        response = self.send(request(method, params))
        assert response.status_code == 200, response.text
        result: Json = response.json["result"]
        return result

    def tool(self, name: str, **arguments: Any) -> Json:
        """The structuredContent of a successful tool call."""
        result = self.result("tools/call", {"name": name, "arguments": arguments})
        assert not result["isError"], result
        (block,) = result["content"]
        assert json.loads(block["text"]) == result["structuredContent"]
        structure: Json = result["structuredContent"]
        return structure

    def tool_error(self, name: str, **arguments: Any) -> Json:
        """The `error` of a failed tool call."""
        response = self.send(call(name, arguments))
        result = response.json["result"]
        assert response.status_code == 200
        assert result["isError"], result
        assert "structuredContent" not in result
        (block,) = result["content"]
        body = json.loads(block["text"])
        assert body.keys() == {"error", "requestId"}
        assert body["requestId"] == response.headers["X-Request-Id"]
        error: Json = body["error"]
        return error

    def tools(self) -> list[str]:
        """The names of the listed tools."""
        return [tool["name"] for tool in self.result("tools/list")["tools"]]


@contextmanager
def connected(deployment: Deployment, key: str = "", **settings: Any) -> Iterator[Endpoint]:
    """An endpoint of the service on a deployment; `settings` are those of `app`.

    key: if empty, a new one of Acme with every scope.
    """
    key = key or deployment.issue_key(make.ACME, make.OWNER)
    with deployment.app(**settings) as app:
        yield Endpoint(app.test_client(), key)
