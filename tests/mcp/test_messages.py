"""The JSON-RPC envelope and batches; tests/reliability/test_json_rpc.py tries arbitrary bodies."""

from typing import Any

import pytest

from tests.mcp.endpoint import MODERN, Endpoint, call, request

PING = request("ping")
NOTIFICATION = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {}}

NOT_REQUESTS: tuple[Any, ...] = (7, "ping", None, True, {})
MALFORMED = [
    b"", b"{", b"nonsense", b"\xff\xfe", b"\xef\xbb\xbf{}",
    b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":NaN}}',
    b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":Infinity}}',
    b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}',
    b'{"jsonrpc":"2.0","id":"\xed\xa0\x80","method":"ping"}',
    b"[" * 100_000, b'{"a":' * 100_000, b"[" * 2000 + b"]" * 2000,
    b'{"jsonrpc":"2.0","id":1,"method":"ping"} {}',
]  # fmt: skip


@pytest.mark.parametrize("body", MALFORMED)
def test_parse_rejects_malformed_json(handshake: Endpoint, body: bytes) -> None:
    response = handshake.post_raw(body)
    assert response.status_code == 400
    assert response.json["error"]["code"] == -32700
    assert response.json["id"] is None


@pytest.mark.parametrize(
    ("message", "message_id"),
    [
        *((message, None) for message in NOT_REQUESTS),
        ({"jsonrpc": "2.0", "id": 1}, 1),
        ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, 1),
        ({"id": "a", "method": "ping"}, "a"),
        ({"jsonrpc": "2.0", "id": 1, "method": 7}, 1),
        *(
            (PING | {"id": message_id}, None)
            for message_id in (None, True, 1.5, 2.0**53, 2**70, [1])
        ),
        ({"jsonrpc": "2.0", "method": 7}, None),
        ({"method": "ping"}, None),
    ],
)
def test_malformed_requests_are_rejected(
    handshake: Endpoint, message: Any, message_id: Any
) -> None:
    response = handshake.post(message)
    assert response.status_code == 400
    assert response.json["error"]["code"] == -32600
    assert response.json["id"] == message_id


@pytest.mark.parametrize("params", [[], [1], "x", 7, False])
def test_params_are_an_object(handshake: Endpoint, params: Any) -> None:
    response = handshake.post(request("ping", params))
    assert (response.status_code, response.json["id"]) == (400, 1)
    assert response.json["error"]["code"] == -32602


@pytest.mark.parametrize("message_id", [0, -1, 2**53, 1.0, -0.0, "", "é", "x" * 1000])
def test_ids_are_returned_unchanged(handshake: Endpoint, message_id: Any) -> None:
    """[4.15.1]"""
    assert handshake.post(request("ping", message_id=message_id)).json["id"] == message_id


@pytest.mark.parametrize(
    "message",
    [
        NOTIFICATION,
        {"jsonrpc": "2.0", "method": "no/such/notification"},
        {"jsonrpc": "2.0", "method": "tools/call", "params": [7]},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "x"}},
    ],
)
def test_notifications_get_no_answer(handshake: Endpoint, message: Any) -> None:
    for headers in ({}, {"MCP_Protocol_Version": "2025-11-25"}, {"MCP_Protocol_Version": MODERN}):
        response = handshake.post(message, **headers)
        assert (response.status_code, response.data) == (202, b"")


def test_unknown_members_are_ignored(handshake: Endpoint) -> None:
    assert handshake.post(PING | {"extra": 1, "result": 2}).json["result"] == {}


# Batches


def test_batch_answers_each_message(handshake: Endpoint) -> None:
    batch = [
        PING,
        NOTIFICATION,
        7,
        [PING],
        {"jsonrpc": "2.0", "id": "x"},
        call("get_context", message_id="c"),
        request("nothing", message_id=3),
        request("ping", [1], message_id=4),
        {"jsonrpc": "2.0", "id": 5, "result": {}},
    ]
    response = handshake.post(batch)
    assert response.status_code == 200
    answers = response.json
    assert [answer["id"] for answer in answers] == [1, None, None, "x", "c", 3, 4]
    codes = [answer.get("error", {}).get("code") for answer in answers]
    assert codes == [None, -32600, -32600, -32600, None, -32601, -32602]


def test_batch_without_calls_gets_no_answer_or_400(handshake: Endpoint) -> None:
    response = handshake.post([NOTIFICATION, {"jsonrpc": "2.0", "id": 5, "result": {}}])
    assert (response.status_code, response.data) == (202, b"")
    response = handshake.post([7, None])
    assert response.status_code == 400
    assert [answer["error"]["code"] for answer in response.json] == [-32600, -32600]


@pytest.mark.parametrize(("count", "status"), [(0, 400), (1, 200), (20, 200), (21, 400)])
def test_batch_holds_1_to_20_messages(handshake: Endpoint, count: int, status: int) -> None:
    response = handshake.post([PING] * count)
    assert response.status_code == status
    if status == 400:
        assert response.json["error"]["code"] == -32600
        assert "1 to 20" in response.json["error"]["message"]
