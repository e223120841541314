"""Request everything that a key can read, for tests that compare several organizations."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.mcp.endpoint import Endpoint
from tests.mcp.endpoint import request as message
from tests.operations import ROWS
from tests.support import factories as make
from tests.support.deployment import Deployment

PREFIX = "/api/v1"
Request = Callable[[FlaskClient, str, str], TestResponse]


@cache
def reads(*names: str) -> dict[str, tuple[str, dict[str, Any]]]:
    """Map the REST path of each request to the tool's name and arguments for the same request.

    names: operations; all by default.
    """
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


def read_all(client: FlaskClient, key: str) -> dict[str, tuple[int, Any]]:
    """Return the status and data of every read, by path."""
    responses = ((path, rest(client, key, path)) for path in reads())
    return {path: (response.status_code, response.json.get("data")) for path, response in responses}


def everything(client: FlaskClient, key: str) -> Iterator[tuple[str, TestResponse]]:
    """Request every REST path and tool, some errors, and the links in responses.

    Yields the path or MCP parameters of each request, and its response.
    """
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
        yield json.dumps(params), Endpoint(client, key).post(message(method, params))


def _following(
    client: FlaskClient, key: str, response: TestResponse
) -> Iterator[tuple[str, TestResponse]]:
    """Request the links of a search result. Yields each path and its response."""
    items = response.json["data"] if response.status_code == 200 else {}
    for item in items.get("items", []) if isinstance(items, dict) else []:
        href = item["href"] or ""
        if href.startswith(PREFIX) and item["kind"] in ("message", "profile", "token"):
            yield href, rest(client, key, href)


def answers(deployment: Deployment, organization_id: str, *more: str) -> list[tuple[str, int, str]]:
    """Every response to a new key with all scopes: request, status and body without request id.

    more: further REST paths.
    """
    key = deployment.issue_key(organization_id, make.OWNER)
    with deployment.app(log_level="ERROR") as app:
        client = app.test_client()
        responses = [*everything(client, key)]
        responses += [(path, rest(client, key, PREFIX + path)) for path in more]
        return [(request, each.status_code, without_id(each)) for request, each in responses]


def written(response: TestResponse) -> str:
    """Return the headers and body of a response, without query values that headers repeat."""
    headers = str(response.headers)
    query = response.request.query_string.decode()
    echoed = [part for pair in query.split("&") for part in pair.split("=")[1:] if part]
    for part in echoed:
        headers = headers.replace(part, "")
    return headers + response.text


def call(client: FlaskClient, key: str, path: str) -> TestResponse:
    """Call the tool of a path in `reads`."""
    name, arguments = reads()[path]
    return Endpoint(client, key).post(message("tools/call", {"name": name, "arguments": arguments}))


def body(client: FlaskClient, key: str, path: str, request: Request = rest) -> tuple[int, str]:
    """Return the status and the body of a response; the request id is removed from the body.

    request: `rest` or `call`.
    """
    response = request(client, key, path)
    return response.status_code, without_id(response)


def without_id(response: TestResponse) -> str:
    """Return the body of a response without the request id."""
    return response.text.replace(response.headers["X-Request-Id"], "")
