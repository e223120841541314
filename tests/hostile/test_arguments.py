"""Endless names, values and messages get a small response."""

import json
from typing import Any

import pytest
from flask import Flask

from orgctx.mcp import messages
from orgctx.schemas.arguments import MAX_LISTED_ERRORS
from tests.mcp.endpoint import Endpoint, call, modern, request
from tests.support import crawl

SMALL = 2500


@pytest.fixture
def mcp(acme_app: Flask, key: str) -> Endpoint:
    return Endpoint(acme_app.test_client(), key)


def nested(levels: int) -> str:
    """A message with this many levels of nesting, including itself."""
    inner = "[" * (levels - 3) + "]" * (levels - 3)
    params = f'{{"name":"list_people","arguments":{{"q":{inner or 1}}}}}'
    return f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}'


@pytest.mark.parametrize("count", [MAX_LISTED_ERRORS, MAX_LISTED_ERRORS + 1, 64_000])
def test_mcp_limits_reported_unknown_arguments(mcp: Endpoint, count: int) -> None:
    response = mcp.post(call("search_context", {f"a{n}": 1 for n in range(count)}))
    text = response.json["result"]["content"][0]["text"]
    assert text.count("is not a parameter") == MAX_LISTED_ERRORS
    more = count - MAX_LISTED_ERRORS
    assert (f"and {more:,} more errors" in text) == (more > 0)
    assert len(response.data) < SMALL


def test_rest_limits_the_number_of_parameters(mcp: Endpoint) -> None:
    path = "/api/v1/search?" + "&".join(f"a{n}=1" for n in range(101))
    response = crawl.rest(mcp.client, mcp.key, path)
    assert response.status_code == 400
    assert "at most 100 parameters" in response.json["error"]["message"]


def test_mcp_reports_all_errors_of_known_arguments(mcp: Endpoint) -> None:
    error = mcp.tool_error("list_knowledge", q=1, kind=2, visibility=3, archived=4, page=5.5)
    assert error["message"].count("must be") == MAX_LISTED_ERRORS
    assert "more" not in error["message"]


@pytest.mark.parametrize(
    "arguments",
    [
        {"a" * 900_000: 1},
        {"kind": "a" * 900_000},
        {"kind": ["a"] * 100_000},
        {"q": "a" * 900_000},
        {"page": [[]] * 4_000},
        {"page": 10**4_000},
        {"\ud83d\ude00" * 50_000: 1},
        {"limit\u202e\u0000": 1},
    ],
    ids=["name", "choice", "array", "text", "arrays", "digits", "emoji", "unprintable"],
)
def test_mcp_response_to_a_large_argument_is_small(mcp: Endpoint, arguments: Any) -> None:
    response = mcp.post(call("list_knowledge", arguments))
    assert response.status_code in (200, 400)
    assert "internal" not in response.text
    assert len(response.data) < SMALL


@pytest.mark.parametrize("levels", [messages.MAX_NESTING, messages.MAX_NESTING + 1, 990, 100_000])
def test_mcp_limits_nesting(mcp: Endpoint, levels: int) -> None:
    response = mcp.post_raw(nested(levels))
    if levels <= messages.MAX_NESTING:
        assert response.json["result"]["isError"]
        return
    assert response.status_code == 400
    message = response.json["error"]["message"]
    assert "64 levels deep" in message or "10,000 arrays" in message


@pytest.mark.parametrize("count", [messages.MAX_CONTAINERS, messages.MAX_CONTAINERS + 1, 500_000])
def test_mcp_limits_arrays_and_objects(mcp: Endpoint, count: int) -> None:
    """The message itself and its params count as two."""
    arrays = ",".join(["[]"] * (count - 3))
    params = f'{{"_":[{arrays}]}}'
    response = mcp.post_raw(
        f'{{"jsonrpc":"2.0","id":1,"method":"ping","params":{params}}}'[:1048576]
    )
    if count <= messages.MAX_CONTAINERS:
        assert response.json["result"] == {}
    else:
        assert response.status_code == 400
        assert "10,000 arrays and objects" in response.json["error"]["message"]


@pytest.mark.parametrize(
    "length", [messages.MAX_NAME_LENGTH, messages.MAX_NAME_LENGTH + 1, 900_000]
)
def test_mcp_limits_ids_and_methods(mcp: Endpoint, length: int) -> None:
    named = mcp.post(request("ping", message_id="i" * length))
    unknown = mcp.post(request("m" * length))
    if length <= messages.MAX_NAME_LENGTH:
        assert named.json == {"jsonrpc": "2.0", "id": "i" * length, "result": {}}
        assert unknown.json["error"]["code"] == -32601
    else:
        for response in (named, unknown):
            assert response.status_code == 400
            assert "at most 1024 characters" in response.json["error"]["message"]
    assert max(len(named.data), len(unknown.data)) < SMALL


@pytest.mark.parametrize("value", ["v" * 900_000, ["v"] * 50_000, {"v": "v" * 900_000}])
def test_mcp_response_to_a_large_version_is_small(mcp: Endpoint, value: Any) -> None:
    message, headers = modern(request("tools/list"))
    message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = value
    response = mcp.post(message, **headers)
    assert response.status_code == 400
    assert len(response.data) < SMALL


def test_mcp_response_to_an_unknown_tool_is_small(mcp: Endpoint) -> None:
    for name in ("x" * 900_000, "search_contexts", ""):
        response = mcp.post(call(name))
        assert response.json["error"]["code"] == -32602
        assert len(response.data) < SMALL


def test_mcp_limits_the_accept_header(mcp: Endpoint) -> None:
    types = ", ".join(["application/json"] * 60)
    assert mcp.post(request("ping"), Accept=types[:1024].rpartition(",")[0]).status_code == 200
    for long in (types + ", */*", "a/b," * 175_000):
        response = mcp.post(request("ping"), Accept=long)
        assert response.status_code == 406
        assert "1,024 characters" in json.dumps(response.json)
