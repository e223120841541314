"""Malformed JSON-RPC never causes a 500 or a hang, and always gets a JSON-RPC response."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import example, given
from hypothesis import strategies as st

from orgctx.resources.catalog import OPERATIONS
from tests.mcp.endpoint import META, MODERN
from tests.support.deployment import Deployment
from tests.support.service import NEXT, Running, exchange, head, serve
from tests.support.thorough import examples

MIB = 1024 * 1024

# Fragments of JSON, some of them without a Python value.
odd = st.sampled_from([
    "NaN", "Infinity", "-Infinity", "1e999", "-0", "1e-999", "01", "+1", ".5", "1.", "0x1",
    "9" * 400, "-" + "9" * 30, str(2**53), str(2**63), str(2**64), "1.0", "1E2", "nul", "True",
    "undefined", "'a'", '"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"\\x41"', '"\t"', '"a',
    "[" * 600 + "]" * 600, '{"a":' * 600 + "1" + "}" * 600, "[" * 40, "[,]", "[1,]", "{,}",
    '{"a":1,}', "{1:2}", '{"a"}', '"' + "x" * 50_000 + '"', "\xa01", "/**/1", "",
])  # fmt: skip
plain = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=20)
).map(json.dumps)


def array(items: list[str]) -> str:
    return f"[{','.join(items)}]"


def obj(pairs: list[tuple[str, str]]) -> str:
    inner = ",".join(f'"{name}":{value}' for name, value in pairs)
    return f"{{{inner}}}"


values = st.recursive(
    plain | odd,
    lambda inner: (
        st.lists(inner, max_size=3).map(array)
        | st.lists(st.tuples(st.sampled_from("aab"), inner), max_size=3).map(obj)
    ),
    max_leaves=6,
)


def members(**known: Any) -> st.SearchStrategy[str]:
    """An object whose members may be missing, repeated, reordered or replaced."""
    pairs = [st.tuples(st.just(name), strategy | values) for name, strategy in known.items()]
    return st.lists(st.one_of(*pairs), max_size=len(known) + 3).map(obj)


names = st.sampled_from([*(f'"{operation.name}"' for operation in OPERATIONS), '"x"'])
methods = st.sampled_from(
    ['"initialize"', '"ping"', '"tools/list"', '"tools/call"', '"server/discover"',
     '"notifications/initialized"', '"rpc.discover"', '"__init__"']
)  # fmt: skip
arguments = members(
    q=values, id=values, key=values, limit=values, page=values, chatId=values, source=values,
    offset=values, before=values, after=values, folderId=values,
)  # fmt: skip
well_called = st.builds(
    '{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":{},"arguments":{}}}}}'.format,
    names,
    arguments,
)
params = members(
    name=names, arguments=arguments, cursor=values, protocolVersion=values,
    _meta=st.just(json.dumps(META)),
)  # fmt: skip
versions = st.none() | st.sampled_from([MODERN, "2025-11-25", "2025-03-26"]) | st.text(
    st.characters(min_codepoint=33, max_codepoint=126), max_size=12
)  # fmt: skip
messages = well_called | members(
    jsonrpc=st.just('"2.0"'), id=st.just("1"), method=methods, params=params, result=values
)
documents = messages | st.lists(messages | values, max_size=25).map(array) | values
bodies = st.one_of(
    documents.map(lambda text: text.encode("utf-8", "surrogatepass")),
    # The same bodies, some cut off or with bytes that are not UTF-8.
    st.builds(
        lambda text, at, piece: text.encode()[:at] + piece + text.encode()[at:],
        documents, st.integers(0, 200),
        st.sampled_from([b"\xff", b"\xed\xa0\x80", b"\x00", b"\xc0"]),
    ),
    st.builds(lambda text, at: text.encode()[:at], documents, st.integers(0, 200)),
    st.binary(max_size=200),
)  # fmt: skip

PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
HUGE = (
    ("[" + ",".join([PING] * 20_000) + "]").encode(),
    b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"' + b"x" * (MIB - 60) + b'"}}',
    b'{"jsonrpc":"2.0","id":"' + b"\\ud83d\\ude00" * 60_000 + b'","method":"ping"}',
    b"[" * MIB,
    b"1" * MIB,
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"' + b"y" * 900_000 + b'"}}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_context",'
    b'"arguments":{"q":"' + b"z" * 900_000 + b'"}}}',
    b"{" + b",".join(b'"%d":1' % number for number in range(90_000)) + b"}",
    b" " * (MIB - 2) + b"{}",
    b'{"id":1,"id":2,"jsonrpc":"2.0","method":"ping","method":"tools/list","params":{},"params":1}',
)


def check(status: int, body: bytes) -> None:
    """Check that a response is valid JSON-RPC, even if it is an HTTP error."""
    assert status in (200, 202, 400, 404), (status, body[:300])
    if status == 202:
        assert body == b""
        return
    document = json.loads(body)
    answers = document if isinstance(document, list) else [document]
    for answer in answers:
        assert answer["jsonrpc"] == "2.0"
        assert ("result" in answer) != ("error" in answer)
        assert status != 200 or len(answers) > 1 or answer["id"] is not None
        if "error" in answer:
            assert answer["error"]["code"] in (-32700, -32600, -32601, -32602, -32020, -32022)
            assert answer["error"]["message"]
        elif answer["result"].get("isError"):
            content = json.loads(answer["result"]["content"][0]["text"])
            assert content["error"]["code"] in ("invalid_parameter", "not_found")


@pytest.fixture(scope="module")
def client(acme: Deployment) -> Iterator[FlaskClient]:
    with acme.app(log_level="ERROR") as app:
        yield app.test_client()


@pytest.mark.thorough
@examples(250)
@given(bodies, versions)
@example(b"", None)
def test_mcp_any_body_gets_a_valid_response(
    client: FlaskClient, key: str, body: bytes, version: str | None
) -> None:
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    headers |= {"MCP-Protocol-Version": version} if version else {}
    response = client.post("/api/mcp", data=body, headers=headers)
    check(response.status_code, response.data)


@pytest.mark.thorough
@pytest.mark.hypothesis
def test_mcp_any_body_keeps_the_connection_usable(acme: Deployment, key: str) -> None:
    """The next request on the connection works as usual."""

    def send(running: Running, body: bytes) -> None:
        lines = ("Content-Type: application/json", f"Content-Length: {len(body)}")
        sent = head("/api/mcp", key, *lines, method="POST") + body
        first, second = exchange(running, sent + NEXT)
        raw = first.body if isinstance(first.body, bytes) else json.dumps(first.body).encode()
        check(first.status, raw)
        assert second.body == {"status": "ok"}

    @examples(40)
    @given(bodies)
    def fuzz(body: bytes) -> None:
        send(running, body)

    with serve(acme) as running:
        workers = running.workers()
        for body in HUGE:
            send(running, body)
        fuzz()
        assert running.workers() == workers
