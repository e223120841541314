"""The log has one line per request, with all members and without secrets."""

import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest

from orgctx.observability import logs
from tests.mcp.endpoint import Endpoint, call
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.service import Running, serve
from tests.support.written import PASSWORD, Written

pytestmark = pytest.mark.thorough

# Markers in requests and in stored records.
ASKED, STORED = "quokkaquery", "wombatwords"
MEMBERS = {
    "timestamp", "level", "event", "request_id", "method", "route", "status", "duration_ms",
    "key_id", "organization_id", "client", "limited_by", "tightest_limit", "limit",
    "limit_remaining",
}  # fmt: skip
FAULT = {"faults", "causes"}


@pytest.fixture(scope="module")
def stored(module_deployment: Deployment) -> Deployment:
    module_deployment.load_acme()
    document = make.knowledge(2, title=STORED, content=STORED)
    module_deployment.load([document, make.message(9, text=STORED)])
    return module_deployment


@pytest.fixture(scope="module")
def running(stored: Deployment) -> Iterator[Running]:
    with serve(stored) as running:
        yield running


@pytest.fixture(scope="module")
def key(stored: Deployment) -> str:
    return stored.issue_key(make.ACME, make.OWNER)


def line_of(running: Running, request_id: str) -> dict[str, Any]:
    """The line of a request, which the worker writes before it responds."""
    (line,) = [line for line in running.log() if line.get("request_id") == request_id]
    return line


def test_log_has_one_line_per_request(running: Running, key: str) -> None:
    other = key[:-1] + ("a" if key[-1] != "a" else "b")
    chat = f"/api/v1/telegram/chats/{make.CHAT}/messages"
    requests: list[tuple[str, dict[str, Any], int, str | None]] = [
        (f"/api/v1/search?q={ASKED}", {"key": key}, 200, "/api/v1/search"),
        (f"/api/v1/search?q={STORED}", {"key": key}, 200, "/api/v1/search"),
        (f"{chat}?q={ASKED}", {"key": key}, 200, "/api/v1/telegram/chats/<id>/messages"),
        (f"/api/v1/knowledge/{ASKED}", {"key": key}, 400, "/api/v1/knowledge/<id>"),
        (f"/api/v1/people/{ASKED}", {"key": key}, 404, "/api/v1/people/<key>"),
        (f"/api/v1/{ASKED}", {"key": key}, 404, None),
        (f"/{ASKED}", {}, 404, None),
        (f"/api/v1/context?{ASKED}=1", {"key": key}, 400, "/api/v1/context"),
        (f"/api/v1/context?key={key}", {"key": other}, 401, "/api/v1/context"),
        ("/api/v1/context", {"method": "POST", "key": key}, 405, None),
        ("/api/v1/context", {"method": "HEAD", "key": key}, 200, "/api/v1/context"),
        ("/healthz", {}, 200, "/healthz"),
        ("/api/v1/openapi.json", {}, 200, "/api/v1/openapi.json"),
    ]
    answers = []
    for path, options, status, route in requests:
        lines = (f"X-{ASKED}: {ASKED}", f"Cookie: {key}")
        answer = running.get(path, options.pop("key", ""), *lines, **options)
        assert answer.status == status, path
        answers.append((answer, route, options.get("method", "GET")))
    for answer, route, method in answers:
        line = line_of(running, answer.headers["x-request-id"])
        because = {"rejected_because"} if answer.status == 401 else set()
        assert line.keys() == MEMBERS | because | ({"errors"} if answer.status >= 400 else set())
        assert (line["event"], line["level"]) == ("request", "info")
        assert (line["method"], line["route"], line["status"]) == (method, route, answer.status)
        assert 0 <= line["duration_ms"] < 10_000
        assert datetime.fromisoformat(line["timestamp"]).tzinfo == UTC
        limits = [line["limit"], line["limit_remaining"]]
        if "ratelimit-limit" in answer.headers:
            rate_limit = [answer.headers[f"ratelimit-{name}"] for name in ("limit", "remaining")]
            assert [str(limit) for limit in limits] == rate_limit
    known = line_of(running, answers[0][0].headers["x-request-id"])
    assert known["organization_id"] == make.ACME
    assert known["tightest_limit"] in ("API key", "organization", "IP address")
    assert (known["client"], known["limited_by"]) == ("127.0.0.1", None)
    nobody = line_of(running, answers[8][0].headers["x-request-id"])
    assert (nobody["key_id"], nobody["organization_id"]) == (None, None)


def test_log_names_the_limit_and_omits_the_client_address(stored: Deployment) -> None:
    key = stored.issue_key(make.ACME, make.OWNER)
    limits = {"limit_ip": 100, "limit_key": 1, "log_client_address": "false"}
    with serve(stored, **limits) as running:
        statuses = [running.get("/api/v1/context", key).status for _ in range(2)]
        assert statuses == [200, 429]
        lines = [line for line in running.log() if line.get("route") == "/api/v1/context"]
        # The server rejects the request headers before there is a request.
        assert running.send(b"GET / HTTP/1.1\r\nHost : a\r\n\r\n").status == 400
        assert "127.0.0.1" not in [line.get("message", "") for line in running.log()][-1]
    assert [line["limited_by"] for line in lines] == [None, "API key"]
    assert [line["tightest_limit"] for line in lines] == ["API key", "API key"]
    assert {line["client"] for line in lines} == {None}


def test_log_names_mcp_tools(running: Running, key: str) -> None:
    batch = [
        call("search_context", {"q": ASKED}), call("list_knowledge", {"q": STORED}, 2),
        call(ASKED, {}, 3), call("read_person", {ASKED: ASKED}, 4),
        {"jsonrpc": "2.0", "id": 5, "method": ASKED, "params": {ASKED: ASKED}},
    ]  # fmt: skip
    answer = running.post(batch, key)
    assert len(answer.body) == len(batch)
    line = line_of(running, answer.headers["x-request-id"])
    assert line.keys() == MEMBERS | {"tools", "errors"}
    assert line["errors"] == ["invalid_parameter"]
    assert line["tools"] == ["search_context", "list_knowledge", "read_person"]
    assert (line["route"], line["status"]) == ("/api/mcp", 200)
    assert line["organization_id"] == make.ACME
    ping = running.post({"jsonrpc": "2.0", "id": 1, "method": "ping"}, key)
    assert line_of(running, ping.headers["x-request-id"]).keys() == MEMBERS


def test_log_does_not_quote_malformed_requests(running: Running, key: str) -> None:
    requests = [
        f"GET /api/v1/search?q={ASKED} {ASKED} HTTP/1.1\r\n\r\n",
        f"GET /api/v1/search?q={ASKED} HTTP/{ASKED}\r\n\r\n",
        f"{ASKED.upper()}\x00 / HTTP/1.1\r\n\r\n",
        f"GET / HTTP/1.1\r\n{ASKED} : 1\r\n\r\n",
        f"GET / HTTP/1.1\r\nAuthorization: Bearer {key}\x00\r\n\r\n",
        f"GET / HTTP/1.1\r\nAuthorization Bearer {key}\r\n\r\n",
        f"GET / HTTP/1.1\r\nHost: a\r\n Authorization: Bearer {key}\r\n\r\n",
        f"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: {key}\r\n\r\n",
        f"GET / HTTP/1.1\r\nHost: a\r\nExpect: {key}\r\n\r\n",
        f"POST /api/mcp HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n{ASKED}\r\n\r\n",
    ]
    for request in requests:
        with suppress(HTTPException, ConnectionError):
            assert running.send(request.encode()).status >= 400
    lines = [line for line in running.log() if line["event"] == "server"]
    messages = [line["message"] for line in lines]
    assert messages.count("Invalid request from ip=127.0.0.1") >= 7
    assert any(message.startswith("Listening at") for message in messages)


def test_log_contains_no_input_and_no_stored_text(running: Running, key: str) -> None:
    """The log of all tests above contains no marker."""
    text = json.dumps(running.log())
    for word in (ASKED, ASKED.upper(), STORED, key, key[5:], PASSWORD):
        assert word not in text


def test_log_of_a_bug_omits_exception_messages(
    own_acme: Deployment, capfd: pytest.CaptureFixture[str]
) -> None:
    """[7.14] The source has an unknown kind, which is in the message of the exception."""
    key = own_acme.issue_key(make.ACME, make.OWNER)
    own_acme.execute("ALTER TABLE sources DROP CONSTRAINT sources_kind_check")
    own_acme.execute("UPDATE sources SET kind = %s WHERE kind = 'docs'", [STORED])
    with own_acme.client(key) as client:
        answers = [
            client.get(f"/api/v1/search?q={ASKED}"),
            Endpoint(client, key).post(call("search_context", {"q": ASKED})),
        ]
    logged = capfd.readouterr().err
    for answer, line in zip(answers, map(json.loads, logged.splitlines()), strict=True):
        assert answer.status_code == 500
        assert "bug in the service" in answer.json["error"]["message"]
        assert line["request_id"] == answer.headers["X-Request-Id"]
        assert line.keys() == MEMBERS | FAULT | {"exception"}
        assert (line["level"], line["faults"], line["causes"]) == ("error", ["bug"], ["KeyError"])
        assert 'orgctx/gate/admission.py", line' in line["exception"]
        assert line["exception"].endswith("\nKeyError")
    output = logged + "".join(answer.text for answer in answers)
    for word in (STORED, ASKED, key, PASSWORD):
        assert word not in output


def test_log_redacts_keys(key: str, capfd: pytest.CaptureFixture[str]) -> None:
    for form in ("json", "text"):
        logs.configure("INFO", form)
        logs.log_server(20, f"a {key} in a message")
        logged = capfd.readouterr().err
        assert "a octx_[redacted] in a message" in logged
        assert key[5:] not in logged


def test_leak_check_finds_leaks(tmp_path: Path, key: str) -> None:
    """This check runs at the end of every test run."""
    written = Written()
    written.begin(tmp_path / "written")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "fine").write_text("octx_" + "0" * 40 + key[:9])
    assert [*written.leaks(tmp_path)] == []
    written.issue(f'{{"key":"{key}"}}')
    (tmp_path / "deep" / "one").write_bytes(b"\xff\x00" + key.encode() + b"\xff")
    (tmp_path / "deep" / "two").write_text(f"postgresql://u:{PASSWORD}@h/d")
    written.output("a", key[5:] + "b")
    assert sorted(leak.rpartition("/")[2] for leak in written.leaks(tmp_path)) == [
        "one holds a key",
        "output.txt holds an issued key without its prefix",
        "two holds the password of a connection string",
    ]
    for path in (tmp_path / "deep").iterdir():
        path.unlink()
    (tmp_path / "written" / "output.txt").unlink()
