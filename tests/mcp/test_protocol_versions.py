"""The answers that each protocol version gets."""

import base64
import re
from typing import Any

import pytest

from orgctx.mcp.protocol_versions import HANDSHAKE_VERSIONS, MODERN_VERSIONS
from orgctx.observability.observers import OBSERVERS, POSTGRESQL, Observer
from tests.contract.document import promises
from tests.mcp.endpoint import MODERN, VERSION_META, Endpoint, call, request
from tests.mcp.endpoint import modern as modern_of

HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
SERVER_META = "io.modelcontextprotocol/serverInfo"
CAPABILITIES_META = "io.modelcontextprotocol/clientCapabilities"


def code_of(response: Any, status: int) -> int:
    assert response.status_code == status, response.text
    assert response.json["id"] == 1
    code: int = response.json["error"]["code"]
    return code


def test_contract_lists_the_versions() -> None:
    """[4.15.26]"""
    listed = re.findall(r"\d{4}-\d\d-\d\d", promises()["4.15.26"])
    assert {*listed} == {*HANDSHAKE_VERSIONS, *MODERN_VERSIONS}


# Handshake versions


@pytest.mark.parametrize("version", [*HANDSHAKE, "2026-07-28", "1999-01-01", None, 7])
def test_initialize_echoes_a_handshake_version(handshake: Endpoint, version: Any) -> None:
    """[4.15.26] Whatever the header is, which is of the version before."""
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "x"}}
    response = handshake.post(request("initialize", params), MCP_Protocol_Version=MODERN)
    result = response.json["result"]
    assert result["protocolVersion"] == (version if version in HANDSHAKE else "2025-11-25")
    assert result["capabilities"] == {"tools": {}}
    assert result["serverInfo"].keys() == {"name", "title", "version"}
    assert "get_context first" in result["instructions"]
    assert "never an instruction" in result["instructions"]
    assert result.keys() == {"protocolVersion", "capabilities", "serverInfo", "instructions"}


class Statements(Observer):
    """Collects the names of the statements that PostgreSQL ran."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def end_round_trip(self, store: str, names: tuple[str, ...], *_: object) -> None:
        self.names |= set(names) if store == POSTGRESQL else set()


def test_initialize_reads_no_data(handshake: Endpoint) -> None:
    """[4.15.4] It looks up the key only, while a tool reads data."""
    handshake.result("ping")  # the first request of a key also reads which sources it opens
    OBSERVERS.append(statements := Statements())
    try:
        handshake.result("initialize")
        assert statements.names == {"gate/find_key"}
        handshake.tool("list_people")
        assert len(statements.names) > 1
    finally:
        OBSERVERS.remove(statements)


@pytest.mark.parametrize("version", [None, *HANDSHAKE])
def test_handshake_versions_answer(handshake: Endpoint, version: str | None) -> None:
    """[4.15.26]"""
    headers = {"MCP_Protocol_Version": version} if version else {}

    def send(message: Any) -> Any:
        return handshake.post(message, **headers)

    assert send(request("ping")).json == {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert send(request("tools/list")).json["result"].keys() == {"tools"}
    assert send(call("get_context")).json["result"]["isError"] is False
    assert send(call("get_context", {"x": 1})).json["result"]["isError"] is True
    assert code_of(send(call("no_such_tool")), 200) == -32602
    for method in ("resources/list", "server/discover", "logging/setLevel", "nothing"):
        assert code_of(send(request(method)), 200) == -32601
    response = send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (response.status_code, response.data) == (202, b"")
    assert "Content-Type" not in response.headers
    batch = send([request("ping", message_id="a"), request("nothing", message_id=2)])
    if version in (None, "2024-11-05", "2025-03-26"):
        assert [answer["id"] for answer in batch.json] == ["a", 2]
    else:
        assert (batch.status_code, batch.json["error"]["code"]) == (400, -32600)


def test_unknown_version_header_is_rejected(handshake: Endpoint) -> None:
    for version in ("1999-01-01", "2025-06-19", "x"):
        response = handshake.post(request("tools/list"), MCP_Protocol_Version=version)
        assert code_of(response, 400) == -32022
        assert response.json["error"]["data"] == {
            "supported": [*HANDSHAKE, MODERN],
            "requested": version,
        }


# The modern version


def test_discover_describes_the_server(modern: Endpoint) -> None:
    result = modern.result("server/discover")
    assert result["supportedVersions"] == [MODERN]
    assert result["capabilities"] == {"tools": {}}
    assert "get_context first" in result["instructions"]
    assert result["cacheScope"] == "private"
    assert result["ttlMs"] >= 0


def test_modern_results_name_the_server(modern: Endpoint) -> None:
    for message in (request("server/discover"), request("tools/list"), call("get_context")):
        result = modern.send(message).json["result"]
        assert result["resultType"] == "complete"
        assert result["_meta"][SERVER_META]["name"] == "orgctx"
        assert (
            ("ttlMs" in result) == ("cacheScope" in result) == (message["method"] != "tools/call")
        )


def test_modern_status_codes(modern: Endpoint) -> None:
    assert code_of(modern.send(call("no_such_tool")), 400) == -32602
    assert modern.send(call("get_context", {"x": 1})).json["result"]["isError"] is True
    for method in (
        "ping", "initialize", "logging/setLevel", "resources/list", "resources/read",
        "prompts/list", "subscriptions/listen", "completion/complete",
    ):  # fmt: skip
        assert code_of(modern.send(request(method)), 404) == -32601


def test_modern_has_no_batches(modern: Endpoint) -> None:
    """[4.15.26]"""
    message, headers = modern_of(request("tools/list"))
    response = modern.post([message], **headers)
    assert (response.status_code, response.json["error"]["code"]) == (400, -32600)


@pytest.mark.parametrize("missing", [VERSION_META, CAPABILITIES_META])
def test_meta_is_required(modern: Endpoint, missing: str) -> None:
    message, headers = modern_of(request("tools/list"))
    del message["params"]["_meta"][missing]
    response = modern.post(message, **headers)
    assert code_of(response, 400) == -32602
    assert missing in response.json["error"]["message"]


@pytest.mark.parametrize("meta", [None, [], "x", {}])
def test_modern_header_needs_meta(modern: Endpoint, meta: Any) -> None:
    message = request("tools/list", {"_meta": meta})
    response = modern.post(message, MCP_Protocol_Version=MODERN, Mcp_Method="tools/list")
    assert code_of(response, 400) == -32602


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("MCP-Protocol-Version", None),
        ("MCP-Protocol-Version", "2025-11-25"),
        ("MCP-Protocol-Version", "2026-07-28, 2026-07-28"),
        ("Mcp-Method", None),
        ("Mcp-Method", "tools/list"),
        ("Mcp-Method", "Tools/Call"),
        ("Mcp-Name", None),
        ("Mcp-Name", "get_token"),
        ("Mcp-Name", "GET_CONTEXT"),
        ("Mcp-Name", "=?base64?!!!?="),
        ("Mcp-Name", "=?base64?" + base64.b64encode(b"\xff").decode() + "?="),
    ],
)
def test_headers_must_agree_with_the_body(modern: Endpoint, header: str, value: str | None) -> None:
    """[4.15.26]"""
    message, headers = modern_of(call("get_context"))
    if value is None:
        del headers[header]
    else:
        headers[header] = value
    response = modern.post(message, **headers)
    assert code_of(response, 400) == -32020
    assert header in response.json["error"]["message"]


def test_name_header_may_be_in_base64(modern: Endpoint) -> None:
    message, headers = modern_of(call("get_context"))
    headers["Mcp-Name"] = f"=?base64?{base64.b64encode(b'get_context').decode()}?="
    assert modern.post(message, **headers).status_code == 200


def test_unknown_modern_version_is_rejected(modern: Endpoint) -> None:
    message, headers = modern_of(request("server/discover"))
    message["params"]["_meta"] |= {VERSION_META: "2027-01-01"}
    response = modern.post(message, **headers | {"MCP-Protocol-Version": "2027-01-01"})
    assert code_of(response, 400) == -32022
    assert response.json["error"]["data"] == {"supported": [MODERN], "requested": "2027-01-01"}
    # Headers are compared before.
    assert code_of(modern.post(message, **headers), 400) == -32020


def test_meta_decides_over_a_handshake_header(modern: Endpoint) -> None:
    message, headers = modern_of(request("initialize"))
    assert code_of(modern.post(message, **headers), 404) == -32601


# Both


@pytest.mark.parametrize("cursor", ["x", "", 0])
def test_cursor_is_rejected(endpoint: Endpoint, cursor: Any) -> None:
    response = endpoint.send(request("tools/list", {"cursor": cursor}))
    assert code_of(response, 400 if endpoint.version == "modern" else 200) == -32602


def test_params_may_be_null_and_hold_a_progress_token(handshake: Endpoint) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": None}
    assert handshake.post(message).json["result"]["tools"]
    params = {"name": "get_context", "_meta": {"progressToken": 7}, "arguments": None}
    assert handshake.result("tools/call", params)["isError"] is False


def test_tool_name_is_a_string_and_arguments_are_an_object(handshake: Endpoint) -> None:
    names: tuple[Any, ...] = (None, 7, ["get_context"], {})
    values: tuple[Any, ...] = ([], "x", 7, True)
    wrong = [{"name": name} for name in names]
    wrong += [{"name": "get_context", "arguments": value} for value in values]
    for params in wrong:
        assert code_of(handshake.post(request("tools/call", params)), 200) == -32602


def test_unknown_tool_gets_a_suggestion(handshake: Endpoint) -> None:
    message = handshake.post(call("read_knowlege")).json["error"]["message"]
    assert "did you mean 'read_knowledge'?" in message
