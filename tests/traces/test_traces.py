"""Traces of a running service, as a collector receives them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from orgctx.stores.db import statements
from tests.mcp.endpoint import call
from tests.support import citus
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.service import Running, serve
from tests.support.waiting import until
from tests.traces.collector import Collector, Span, collector

pytestmark = pytest.mark.thorough

Service = tuple[Collector, Running]
SERVER, CLIENT = 2, 3
ERROR = 2
TRACE, CALLER = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
# Client input, which no span may contain.
SECRET = "said-by-the-caller"


@contextmanager
def traced(
    deployment: Deployment, collected: Collector, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Running]:
    """The service with one worker."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collected.url)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=of-the-collector")
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "100")
    with serve(deployment, traces="on") as running:
        yield running


@pytest.fixture(scope="module")
def service(acme: Deployment) -> Iterator[Service]:
    """The service with one worker, and the collector of its traces."""
    with (
        pytest.MonkeyPatch.context() as patch,
        collector() as collected,
        traced(acme, collected, patch) as running,
    ):
        yield collected, running


def loads_protobuf(running: Running) -> bool:
    """Whether a worker has loaded a library that the SDK imports."""
    maps = [Path(f"/proc/{pid}/maps").read_text() for pid in running.workers()]
    return any("google/_upb" in text for text in maps)


def statement(name: str) -> bool:
    return name in statements()


def test_trace_has_a_span_for_each_statement(service: Service, key: str) -> None:
    collected, running = service
    # The worker serves the caller first without and then from its cache.
    answers = [running.get("/api/v1/knowledge", key) for _ in range(12)]
    for answer in answers:
        assert answer.status == 200
        span, children = collected.request(answer.headers["x-request-id"])
        assert (span.name, span.kind, span.parent, span.status) == (
            "GET /api/v1/knowledge", SERVER, "", 0,
        )  # fmt: skip
        assert span.attributes == {
            "orgctx.request_id": answer.headers["x-request-id"],
            "orgctx.operation": "list_knowledge",
            "orgctx.interface": "rest",
            "http.request.method": "GET",
            "http.response.status_code": 200,
            "http.route": "/api/v1/knowledge",
            "url.scheme": "http",
        }
        assert span.resource["service.name"] == "orgctx"
        names = {child.name for child in children}
        assert {"gate/find_key", "knowledge/list_knowledge", "EVALSHA"} <= names
        for child in children:
            store = "postgresql" if "/" in child.name else "redis"
            # The first command fails, because Redis has not loaded the script yet.
            assert child.attributes.pop("error.type", "NoScriptError") == "NoScriptError"
            assert child.attributes == {
                "db.system.name": store,
                "db.query.summary": child.name,
            } | ({"db.operation.name": child.name} if store == "redis" else {})
            assert statement(child.name) == (store == "postgresql")
            assert (child.trace, child.kind) == (span.trace, CLIENT)
            assert span.began <= child.began <= child.ended <= span.ended
    assert len({collected.request(a.headers["x-request-id"])[0].trace for a in answers}) == 12
    assert {headers["path"] for headers in collected.headers} == {"/v1/traces"}
    assert {headers["authorization"] for headers in collected.headers} == {"of-the-collector"}


def test_trace_keeps_only_traceparent_of_the_client(service: Service, key: str) -> None:
    client_headers = (f"tracestate: a={SECRET}", f"baggage: b={SECRET}", f"User-Agent: {SECRET}")
    path = f"/api/v1/search?q={SECRET}"
    collected, running = service
    sampled = f"traceparent: 00-{TRACE}-{CALLER}-01"
    answer = running.get(path, key, sampled, *client_headers)
    span, children = collected.request(answer.headers["x-request-id"])
    assert (span.trace, span.parent) == (TRACE, CALLER)
    assert {child.trace for child in children} == {TRACE}
    unsampled = running.get(path, key, f"traceparent: 00-{TRACE}-{CALLER}-00")
    for broken in (f"00-{SECRET}-01", "00-" + "0" * 32 + f"-{CALLER}-01", "\xff"):
        answer = running.get(path, key, f"traceparent: {broken}", *client_headers)
        span, _ = collected.request(answer.headers["x-request-id"])
        assert (span.parent, answer.status) == ("", 200)
        assert span.trace != TRACE
    unauthorized = running.get(f"/api/v1/{SECRET}", SECRET, *client_headers)
    span, _ = collected.request(unauthorized.headers["x-request-id"])
    assert (span.name, span.attributes["http.response.status_code"]) == ("GET", 401)
    assert "http.route" not in span.attributes
    unknown = {span.attributes.get("orgctx.request_id") for span in collected.spans()}
    assert unsampled.headers["x-request-id"] not in unknown
    sent = b"".join(collected.received)
    organization = make.ACME.encode()
    for secret in (SECRET.encode(), key.encode(), organization, b"127.0.0.1", b"of-the-collector"):
        assert secret not in sent
    assert not re.search(rb"octx_|postgresql://|redis://", sent)


def test_trace_has_a_span_for_each_mcp_message(service: Service, key: str) -> None:
    collected, running = service
    tool = running.post(call("search_context", {"q": SECRET}), key)
    root, (message,) = wait_for_messages(collected, tool.headers["x-request-id"])
    assert root.name == "POST /api/mcp"
    assert (message.name, message.kind) == ("tools/call search_context", SERVER)
    assert message.attributes == {
        "mcp.method.name": "tools/call",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "search_context",
        "network.protocol.name": "http",
        "network.transport": "tcp",
    }
    statements = {span.name for span in collected.spans() if span.parent == message.id}
    assert any(name.startswith("search/") for name in statements)
    errors = {}
    for body in (
        call("search_context", {"q": "x", "limit": 0}),
        call(SECRET, {}),
        {"jsonrpc": "2.0", "id": 1, "method": SECRET},
    ):
        answer = running.post(body, key)
        _, (message,) = wait_for_messages(collected, answer.headers["x-request-id"])
        assert message.status == ERROR
        errors[message.name] = message.attributes["error.type"]
    assert errors == {
        "tools/call search_context": "tool_error", "tools/call": "-32602", "_OTHER": "-32601",
    }  # fmt: skip
    remote = call("get_context", {})
    remote["params"]["_meta"] = {"traceparent": f"00-{TRACE[::-1]}-{CALLER[::-1]}-01"}
    running.post(remote, key)
    until(lambda: any(span.trace == TRACE[::-1] for span in collected.spans()), "no parent")
    names = {span.name for span in collected.spans() if span.parent == CALLER[::-1]}
    assert names == {"tools/call get_context"}
    assert SECRET.encode() not in b"".join(collected.received)


def wait_for_messages(collected: Collector, request_id: str) -> tuple[Span, list[Span]]:
    """The span of a request, and those of its MCP messages."""
    root, children = collected.request(request_id)
    return root, [span for span in children if "mcp.method.name" in span.attributes]


@citus.impossible("the reader cannot hold up a shard")
def test_failed_span_has_no_error_message(service: Service, acme: Deployment, key: str) -> None:
    collected, running = service
    with psycopg.connect(acme.database_url) as blocker:
        blocker.execute("LOCK TABLE knowledge IN ACCESS EXCLUSIVE MODE")
        answer = running.get("/api/v1/knowledge", key)
    span, children = collected.request(answer.headers["x-request-id"])
    assert (answer.status, span.status) == (504, ERROR)
    (failed,) = (child for child in children if child.name == "knowledge/list_knowledge")
    assert failed.status == ERROR
    assert span.attributes["error.type"] == "504"
    # Either the server cancels the statement, and says so, or the worker stops waiting for it.
    attributes = failed.attributes.keys() - {"db.response.status_code"}
    assert attributes == {"db.system.name", "db.query.summary", "error.type"}


def test_failing_collector_affects_no_request(
    acme: Deployment, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TRACES_HEADERS", f"not a header {SECRET}")
    with collector() as collected, traced(acme, collected, monkeypatch) as running:
        collected.status = 400
        assert {running.get("/api/v1/context", key).status for _ in range(4)} == {200}
        until(lambda: any("OpenTelemetry" in str(line.get("message")) for line in running.log()))
        collected.server_close()
        assert running.get("/api/v1/context", key).status == 200
        assert SECRET not in str(running.log())
        assert "of-the-collector" not in str(running.log())


def test_worker_exports_pending_spans_when_it_ends(
    acme: Deployment, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with collector() as collected:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collected.url)
        monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "600000")
        monkeypatch.setenv("OTEL_SERVICE_NAME", "ours")
        with serve(acme, traces="on") as running:
            answer = running.get("/api/v1/context", key)
            assert answer.status == 200
            assert loads_protobuf(running)
        span, _ = collected.request(answer.headers["x-request-id"])
        assert span.resource["service.name"] == "ours"


def test_traces_load_nothing_when_off(acme: Deployment, key: str) -> None:
    with serve(acme) as running:
        running.get("/api/v1/context", key)
        assert not loads_protobuf(running)
