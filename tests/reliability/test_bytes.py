"""Arbitrary bytes never cause a 500, a hang or a response to a request inside a body."""

from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.support.deployment import Deployment
from tests.support.service import NEXT, Answer, Running, exchange, head, serve
from tests.support.thorough import examples

pytestmark = pytest.mark.thorough

FUZZ = examples(150)

# Hidden in bodies; a response to it is recognisable.
SMUGGLED = b"GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n"
SMUGGLED_ANSWER = "checks"


@pytest.fixture(scope="module")
def running(acme: Deployment) -> Iterator[Running]:
    with serve(acme, workers=2) as running:
        workers = running.workers()
        yield running
        assert running.workers() == workers
        assert running.get("/readyz").status == 200


def check(answers: list[Answer], most: int) -> None:
    """Check the responses to at most `most` requests."""
    assert len(answers) <= most
    for answer in answers:
        assert answer.status < 500 or answer.status == 501, answer
        assert SMUGGLED_ANSWER not in str(answer.body)
        if "x-request-id" in answer.headers and answer.status >= 400 and answer.body:
            body = answer.body
            if "jsonrpc" in body:
                assert body["error"].keys() >= {"code", "message"}
                continue
            assert body.keys() == {"error", "requestId"}
            assert body["error"].keys() == {"code", "message"}
            assert body["requestId"] == answer.headers["x-request-id"]


anything = st.binary(max_size=60)
no_line_ends = anything.map(lambda data: data.replace(b"\n", b"").replace(b"\r", b""))
methods = st.sampled_from([b"GET", b"get", b"POST", b"OPTIONS", b"PUT", b"TRACE", b"CONNECT",
    b"PRI", b"G\x00T", b"", b"GET" * 40]) | no_line_ends  # fmt: skip
paths = ["/", "*", "/api/v1/context", "/api/v1/people", "/api/v1/people/", "/api/v1/knowledge/",
    "/api/mcp", "/api/mcp/", "/healthz", "http://other/api/v1/token", "/api/v1/../../etc", "//",
    "/api/v1/assets/%2e%2e", "/register", "/.well-known/a", "/api/v1/openapi.json"]  # fmt: skip
targets = st.builds(
    lambda path, rest: path.encode() + rest,
    st.sampled_from(paths),
    st.sampled_from([b"", b"?", b"%00", b"%ff", b"\x00", b"\xff\xfe", b"?q=%ed%a0%80", b"?q=\xc3",
        b"#a", b"?" + b"a" * 8180, b"/" * 3000, b"%" * 50, b"?page=1&page=1", b"?\x7f", b"?q= b",
        b";a=b", b"?" + b"a=b&" * 500]) | no_line_ends,
)  # fmt: skip
versions = st.sampled_from([b"HTTP/1.1", b"HTTP/1.0", b"HTTP/2.0", b"HTTP/0.9", b"http/1.1", b"",
    b"HTTP/1.1 x", b"HTTP/1.9", b"HTTP/11", b"\xff"])  # fmt: skip
header_lines = st.lists(
    st.sampled_from([b"Host: a", b"Host: b", b"Host:", b"Host: a/b@c", b"Connection: keep-alive",
        b"Connection: close, upgrade", b"Upgrade: h2c", b"HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA",
        b"Expect: 100-continue", b"Expect: x", b"Accept: \xff", b"Authorization: Bearer \xff\x00",
        b"Authorization: Bearer octx_" + b"0" * 40, b"Authorization: " + b"a" * 8200,
        b"X: " + b"a" * 70_000, b" folded: a", b"Na me: a", b"Name : a", b": a", b"a", b"A: \x00",
        b"If-None-Match: \"" + b"\\" * 100, b"If-None-Match: W/\"a\", *", b"Range: bytes=0-",
        b"X-Forwarded-For: \xff, a", b"X-Forwarded-Proto: https", b"SCRIPT_NAME: /api",
        b"Script-Name: /x", b"Content-Type: application/json", b"Content-Encoding: gzip",
        b"Content_Length: 5", b"Trailer: Host", b"TE: trailers", b"MCP-Protocol-Version: \xff",
        b"Origin: http://[", b"Cookie: a=\xff", b"Accept: application/json"])
    | no_line_ends, max_size=6,
)  # fmt: skip
separators = st.sampled_from([b"\r\n"] * 8 + [b"\n", b"\r", b"\r\r\n"])


@FUZZ
@given(methods, targets, versions, header_lines, separators)
@example(b"GET", b"/api/v1/context", b"HTTP/1.1", [b"X: y"] * 200, b"\r\n")
@example(b"GET", b"/api/v1/context", b"HTTP/1.1", [b"X: " + b"y" * 8000] * 20, b"\r\n")
@example(b"GET", b"/" + b"a" * 100_000, b"HTTP/1.1", [], b"\r\n")
@example(b"POST", b"/api/mcp", b"HTTP/1.1", [b"Origin: http://[::1"], b"\r\n")
def test_any_request_head_gets_a_valid_response(
    running: Running, method: bytes, target: bytes, version: bytes, lines: list[bytes], end: bytes
) -> None:
    request = end.join([b" ".join([method, target, version]), *lines, b"", b""])
    check(exchange(running, request + NEXT), most=2)


@FUZZ
@given(st.binary(max_size=400))
@example(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
@example(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00")
@example(b"\r\n" * 1000)
@example(b"PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
@example(b"\x00" * 200_000)
@example(b"a" * 1_000_000)
def test_any_bytes_get_a_valid_response(running: Running, sent: bytes) -> None:
    check(exchange(running, sent), most=2)


LENGTH = str(len(SMUGGLED)).encode()
HEX = f"{len(SMUGGLED):x}".encode()
CHUNKED = HEX + b"\r\n" + SMUGGLED + b"\r\n0\r\n\r\n"
FRAMES = {
    "length": ([b"Content-Length: " + LENGTH], SMUGGLED),
    "two lengths": ([b"Content-Length: " + LENGTH, b"Content-Length: 0"], SMUGGLED),
    "zero then length": ([b"Content-Length: 0", b"Content-Length: " + LENGTH], SMUGGLED),
    "list of lengths": ([b"Content-Length: 0, " + LENGTH], SMUGGLED),
    "signed": ([b"Content-Length: +" + LENGTH], SMUGGLED),
    "negative": ([b"Content-Length: -" + LENGTH], SMUGGLED),
    "hexadecimal": ([b"Content-Length: 0x" + HEX], SMUGGLED),
    "underscored number": ([b"Content-Length: 0_" + LENGTH], SMUGGLED),
    "huge": ([b"Content-Length: " + b"9" * 40], SMUGGLED),
    "blank before colon": ([b"Content-Length : " + LENGTH], SMUGGLED),
    "blank before name": ([b"X: y", b" Content-Length: " + LENGTH], SMUGGLED),
    "chunked": ([b"Transfer-Encoding: chunked"], CHUNKED),
    "chunked and length": ([b"Content-Length: 0", b"Transfer-Encoding: chunked"], CHUNKED),
    "length and chunked": ([b"Transfer-Encoding: chunked", b"Content-Length: 4"], CHUNKED),
    "chunked twice": ([b"Transfer-Encoding: chunked, chunked"], CHUNKED),
    "chunked not last": ([b"Transfer-Encoding: chunked, identity"], CHUNKED),
    "unknown coding": ([b"Transfer-Encoding: xchunked"], CHUNKED),
    "tab": ([b"Transfer-Encoding:\tchunked"], CHUNKED),
    "vertical tab": ([b"Transfer-Encoding: \x0bchunked"], CHUNKED),
    "quoted": ([b'Transfer-Encoding: "chunked"'], CHUNKED),
    "capitals": ([b"TRANSFER-ENCODING: CHUNKED"], CHUNKED),
    "blank before coding colon": ([b"Transfer-Encoding : chunked"], CHUNKED),
    "chunk extension": ([b"Transfer-Encoding: chunked"], HEX + b";a=\n" + CHUNKED[len(HEX):]),
    "chunk without end": ([b"Transfer-Encoding: chunked"], HEX + b"\r\n" + SMUGGLED),
    "chunk size signed": ([b"Transfer-Encoding: chunked"], b"+" + CHUNKED),
    "chunk size huge": ([b"Transfer-Encoding: chunked"], b"f" * 17 + b"\r\n" + SMUGGLED),
    "trailers": ([b"Transfer-Encoding: chunked"], CHUNKED[:-2] + b"Host: a\r\n\r\n"),
}  # fmt: skip


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("request_line", [b"GET /api/v1/context", b"POST /api/mcp", b"PUT /a"])
def test_body_is_never_parsed_as_a_request(
    running: Running, request_line: bytes, frame: str
) -> None:
    lines, body = FRAMES[frame]
    sent = b"\r\n".join([request_line + b" HTTP/1.1", b"Host: a", *lines, b"", body])
    for answers in (exchange(running, sent), exchange(running, sent + NEXT)):
        check(answers, most=2)


def test_pipeline_responses_are_in_order(running: Running, key: str) -> None:
    paths = ["/api/v1/context", "/api/v1/nothing", "/api/v1/sources?a=1", "/healthz"] * 5
    sent = b"".join(head(path, key) for path in paths)
    statuses = [answer.status for answer in exchange(running, sent)]
    assert statuses == [200, 404, 400, 200] * 5
