"""Traces of a running service, as a collector receives them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import psycopg
import pytest

from tests.mcp.endpoint import call
from tests.reliability.test_logs import post
from tests.support import citus
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.service import Answer, Running, head, receive, serve

from .collector import Collector, collector

SERVER, CLIENT = 2, 3
ERROR = 2
TRACE, CALLER = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
SQL = Path(__file__).parents[2] / "sql"
# No span may contain these, by what sends them.
SECRET = "said-by-the-caller"


@pytest.fixture(scope="module")
def stored(module_deployment: Deployment) -> Deployment:
    module_deployment.load(make.everything())
    module_deployment.approve(make.ACME, make.OWNER)
    return module_deployment


@pytest.fixture(scope="module")
def key(stored: Deployment) -> str:
    return stored.issue_key(make.ACME, make.OWNER)


@contextmanager
def traced(
    deployment: Deployment,
    collected: Collector,
    monkeypatch: pytest.MonkeyPatch,
    **settings: Any,
) -> Iterator[Running]:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collected.url)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=of-the-collector")
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "100")
    with serve(deployment, traces="on", **settings) as running:
        yield running


def get(running: Running, path: str, key: str, *lines: str) -> Answer:
    with closing(running.connect()) as connection:
        connection.sendall(head(path, key, "Connection: close", *lines))
        return receive(connection)


def loads_protobuf(running: Running) -> bool:
    """Whether a worker has mapped the library that is imported together with the SDK."""
    maps = [Path(f"/proc/{pid}/maps").read_text() for pid in running.workers()]
    return any("google/_upb" in one for one in maps)


def statement(name: str) -> bool:
    return (SQL / f"{name}.sql").is_file()


def test_trace_has_a_span_for_each_statement(
    stored: Deployment, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with collector() as collected, traced(stored, collected, monkeypatch) as running:
        # Each worker serves a caller that it has not seen, and then one that it remembers.
        answers = [running.get("/api/v1/knowledge", key) for _ in range(12)]
        for answer in answers:
            assert answer.status == 200
            span, below = collected.request(answer.headers["x-request-id"])
            assert (span.name, span.kind, span.parent, span.status) == (
                "list_knowledge", SERVER, "", 0,
            )  # fmt: skip
            assert span.attributes == {
                "orgctx.request_id": answer.headers["x-request-id"],
                "orgctx.operation": "list_knowledge",
                "orgctx.interface": "rest",
                "http.response.status_code": 200,
            }
            assert span.resource["service.name"] == "orgctx"
            asked = {one.name: one for one in below}
            assert {"gate/find_key", "knowledge/list_knowledge", "EVALSHA"} <= {*asked}
            for one in below:
                store = "postgresql" if "/" in one.name else "redis"
                # Redis does not know the script when the first command arrives.
                assert one.attributes.pop("error.type", "NoScriptError") == "NoScriptError"
                assert one.attributes == {"db.system.name": store, "db.operation.name": one.name}
                assert statement(one.name) == (store == "postgresql")
                assert (one.trace, one.kind) == (span.trace, CLIENT)
                assert span.began <= one.began <= one.ended <= span.ended
        assert len({collected.request(a.headers["x-request-id"])[0].trace for a in answers}) == 12
        tool = post(running, key, call("search_context", {"q": "content"}))
        span, below = collected.request(tool.headers["x-request-id"])
        assert (span.name, span.attributes["orgctx.interface"]) == ("search_context", "mcp")
        assert any(one.name.startswith("search/") for one in below)
        assert {one["path"] for one in collected.heads} == {"/v1/traces"}
        assert {one["authorization"] for one in collected.heads} == {"of-the-collector"}


def test_trace_keeps_only_traceparent_of_the_client(
    stored: Deployment, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = (f"tracestate: a={SECRET}", f"baggage: b={SECRET}", f"User-Agent: {SECRET}")
    path = f"/api/v1/search?q={SECRET}"
    with collector() as collected, traced(stored, collected, monkeypatch, workers=1) as running:
        sampled = f"traceparent: 00-{TRACE}-{CALLER}-01"
        answer = get(running, path, key, sampled, *said)
        span, below = collected.request(answer.headers["x-request-id"])
        assert (span.trace, span.parent) == (TRACE, CALLER)
        assert {one.trace for one in below} == {TRACE}
        unsampled = get(running, path, key, f"traceparent: 00-{TRACE}-{CALLER}-00")
        for broken in (f"00-{SECRET}-01", "00-" + "0" * 32 + f"-{CALLER}-01", "\xff"):
            answer = get(running, path, key, f"traceparent: {broken}", *said)
            span, _ = collected.request(answer.headers["x-request-id"])
            assert (span.parent, answer.status) == ("", 200)
            assert span.trace != TRACE
        nowhere = get(running, f"/api/v1/{SECRET}", SECRET, *said)
        span, _ = collected.request(nowhere.headers["x-request-id"])
        assert (span.name, span.attributes["http.response.status_code"]) == ("none", 401)
        unknown = {one.attributes.get("orgctx.request_id") for one in collected.spans()}
        assert unsampled.headers["x-request-id"] not in unknown
        sent = b"".join(collected.sent)
    organization = make.ACME.encode()
    for secret in (SECRET.encode(), key.encode(), organization, b"127.0.0.1", b"of-the-collector"):
        assert secret not in sent
    assert not re.search(rb"octx_|postgresql://|redis://", sent)


@citus.impossible("the reader cannot hold up a shard")
def test_failed_span_has_no_error_message(
    stored: Deployment, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        collector() as collected,
        traced(stored, collected, monkeypatch, workers=1, request_timeout_seconds=2) as running,
        psycopg.connect(stored.database_url) as blocker,
    ):
        blocker.execute("LOCK TABLE knowledge IN ACCESS EXCLUSIVE MODE")
        answer = running.get("/api/v1/knowledge", key)
        span, below = collected.request(answer.headers["x-request-id"])
        assert (answer.status, span.status) == (504, ERROR)
        (failed,) = (one for one in below if one.name == "knowledge/list_knowledge")
        assert failed.status == ERROR
        assert set(failed.attributes) == {"db.system.name", "db.operation.name", "error.type"}


def test_failing_collector_affects_no_request(
    stored: Deployment, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TRACES_HEADERS", f"not a header {SECRET}")
    with collector() as collected, traced(stored, collected, monkeypatch, workers=1) as running:
        collected.status = 400
        assert {running.get("/api/v1/context", key).status for _ in range(4)} == {200}
        end = monotonic() + 60
        while not any("OpenTelemetry" in str(line.get("message")) for line in running.log()):
            assert monotonic() < end
            sleep(0.1)
        collected.server_close()
        assert running.get("/api/v1/context", key).status == 200
        assert SECRET not in str(running.log())
        assert "of-the-collector" not in str(running.log())


def test_worker_exports_pending_spans_when_it_ends(
    stored: Deployment, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with collector() as collected:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collected.url)
        monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "600000")
        monkeypatch.setenv("OTEL_SERVICE_NAME", "ours")
        with serve(stored, workers=1, traces="on") as running:
            answer = running.get("/api/v1/context", key)
            assert answer.status == 200
            assert loads_protobuf(running)
        span, _ = collected.request(answer.headers["x-request-id"])
        assert span.resource["service.name"] == "ours"


def test_traces_load_nothing_when_off(stored: Deployment, key: str) -> None:
    with serve(stored, workers=1) as running:
        running.get("/api/v1/context", key)
        assert not loads_protobuf(running)
