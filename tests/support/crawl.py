"""The requests that a crawl of several organizations' data makes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.operations import ROWS

PREFIX = "/api/v1"


@cache
def reads(*names: str) -> dict[str, tuple[str, dict[str, Any]]]:
    """REST path → the tool of the same operation and its arguments; all operations by default."""
    return {
        PREFIX + row.request(arguments): (row.name, arguments)
        for row in ROWS.values()
        if row.name in (names or ROWS)
        for arguments in row.crawl
    }


ERRORS = (
    ("GET", "/knowledge?page=0"), ("GET", "/people?querry=a"), ("GET", "/nothing"),
    ("GET", "/assets/1"), ("POST", "/context"), ("HEAD", "/context"),
)  # fmt: skip


def rest(client: FlaskClient, key: str, path: str, method: str = "GET") -> TestResponse:
    return client.open(path, method=method, headers={"Authorization": f"Bearer {key}"})


def everything(client: FlaskClient, key: str) -> Iterator[tuple[str, TestResponse]]:
    """Request all of REST, all tools, errors, and the pages that answers link to."""
    for path in reads():
        response = rest(client, key, path)
        yield path, response
        yield from _following(client, key, response)
    for method, path in ERRORS:
        yield path, rest(client, key, PREFIX + path, method)
    messages: list[tuple[str, dict[str, Any]]] = [
        ("tools/list", {}),
        ("initialize", {"protocolVersion": "2025-06-18"}),
    ]
    for name, arguments in reads().values():
        messages.append(("tools/call", {"name": name, "arguments": arguments}))
    for method, params in messages:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        yield json.dumps(params), client.post("/api/mcp", json=message, headers=headers)


def _following(
    client: FlaskClient, key: str, response: TestResponse
) -> Iterator[tuple[str, TestResponse]]:
    """The answers behind the hrefs of a search result."""
    items = response.json["data"] if response.status_code == 200 else {}
    for item in items.get("items", []) if isinstance(items, dict) else []:
        href = item["href"] or ""
        if href.startswith(PREFIX) and item["kind"] in ("message", "profile", "token"):
            yield href, rest(client, key, href)


def written(response: TestResponse) -> str:
    """The text of a response without the parts that it repeats from its request."""
    headers = str(response.headers)
    query = response.request.query_string.decode()
    echoed = [part for pair in query.split("&") for part in pair.split("=")[1:] if part]
    for part in echoed:
        headers = headers.replace(part, "")
    return headers + response.text


def body(client: FlaskClient, key: str, path: str) -> tuple[int, str]:
    """Status and body, without the request id."""
    response = rest(client, key, path)
    return response.status_code, response.text.replace(response.headers["X-Request-Id"], "")
