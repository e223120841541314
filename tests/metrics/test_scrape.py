"""GET /metrics has a separate address and adds up all workers."""

import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from orgctx.http.metrics import STORED_SECONDS
from tests.mcp.endpoint import call
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.processes import free_port
from tests.support.service import Running, serve
from tests.support.waiting import until

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def scrape(port: int) -> Samples:
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def value(samples: Samples, name: str, **labels: str) -> float | None:
    return samples.get((name, frozenset(labels.items())))


@contextmanager
def served(
    deployment: Deployment, port: int = 0, host: str = "127.0.0.1", **settings: Any
) -> Iterator[tuple[Running, int]]:
    """A service and the port of its metrics."""
    port = port or free_port()
    with serve(deployment, workers=2, metrics_bind=f"{host}:{port}", **settings) as running:
        yield running, port


def await_value(port: int, name: str, wanted: float, **labels: str) -> None:
    """Wait until a metric has this value, because workers start and end by themselves."""
    # A worker that was killed may have accepted the connection of a scrape.
    until(lambda: value(scrape(port), name, **labels) == wanted, f"{name} is not {wanted}.")


@pytest.fixture(scope="module")
def stored(module_deployment: Deployment) -> Deployment:
    held = make.knowledge("held", content=make.AWS)
    module_deployment.load_acme()
    module_deployment.load([make.source("x", staleAfterSeconds=60), held])
    return module_deployment


@pytest.mark.thorough
def test_scrape_contains_all_metrics(stored: Deployment) -> None:
    key = stored.issue_key(make.ACME, make.OWNER, days=7)
    began = monotonic()
    with served(stored, limit_key=14) as (running, port):
        for _ in range(12):
            assert running.get("/api/v1/knowledge", key).status == 200
        running.get("/api/v1/nothing-of-the-kind", key)
        assert "result" in running.post(call("search_context", {"q": "content"}), key).body
        assert running.get("/api/v1/context", key).status == 429
        for _ in range(6):
            scrape(port)
        samples = scrape(port)
    limited = {"operation": "get_context", "interface": "rest", "status": "429"}
    assert value(samples, "orgctx_requests_total", **limited) == 1
    labels = {"operation": "list_knowledge", "interface": "rest"}
    assert value(samples, "orgctx_requests_total", **labels, status="200") == 12
    assert value(samples, "orgctx_request_seconds_count", **labels) == 12
    tool = {"operation": "search_context", "interface": "mcp", "status": "200"}
    assert value(samples, "orgctx_requests_total", **tool) == 1
    unknown = {"operation": "none", "interface": "none", "status": "404"}
    assert value(samples, "orgctx_requests_total", **unknown) == 1
    assert value(samples, "orgctx_quota_refusals_total", limit="API key") == 1
    for statement in ("knowledge/list_knowledge", "search"):
        assert value(samples, "orgctx_postgresql_seconds_count", statement=statement), statement
    assert (value(samples, "orgctx_redis_seconds_count") or 0) >= 14
    assert (value(samples, "orgctx_pool_wait_seconds_count") or 0) >= 14
    assert {value(samples, "orgctx_ready", check=store) for store in ("database", "redis")} == {1}
    assert value(samples, "orgctx_sources_late", kind="x") == 1
    assert value(samples, "orgctx_sources_late", kind="docs") == 0
    # The key of 7 days is new.
    assert value(samples, "orgctx_keys_expiring") == 0
    assert value(samples, "orgctx_documents_held", reason="secret") == 1
    assert value(samples, "orgctx_documents_held", reason="new") == 0
    assert 0 < (value(samples, "orgctx_documents_held_oldest_seconds") or 0) < 600
    texts = {text for _, pairs in samples for _, text in pairs}
    assert not {make.ACME, key, "nothing-of-the-kind"} & texts
    # Each worker reads gauges of whole tables only so often.
    often = 2 * (1 + (monotonic() - began) // STORED_SECONDS)
    for name in ("count_late_sources", "count_expiring_keys"):
        read = {"statement": f"http/{name}"}
        assert 1 <= (value(samples, "orgctx_postgresql_seconds_count", **read) or 0) <= often


@pytest.mark.thorough
def test_scrape_keeps_the_counts_of_workers_that_ended(stored: Deployment) -> None:
    key = stored.issue_key(make.ACME, make.OWNER)
    # The service resolves the name.
    with served(stored, host="localhost") as (running, port):
        # Metrics are served at their address, and nothing else is, whatever the Host header says.
        assert running.get("/metrics").status == 404
        request = f"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
        assert running.send(request.encode()).status == 404
        at_metrics = Running(port, running.process)
        assert at_metrics.get("/metrics").status == 200
        for path in ("/api/v1/context", "/healthz", "/metrics/"):
            assert at_metrics.get(path).status == 404
        for _ in range(8):
            running.get("/api/v1/context", key)
        counted = {"operation": "get_context", "interface": "rest", "status": "200"}
        await_value(port, "orgctx_requests_total", 8, **counted)
        killed = running.workers().pop()
        os.kill(killed, signal.SIGKILL)
        until(lambda: len(running.workers() - {killed}) == 2, "no worker was started.")
        before = running.workers()
        running.process.send_signal(signal.SIGHUP)
        until(lambda: not running.workers() & before, "the workers have not ended.")
        await_value(port, "orgctx_requests_total", 8, **counted)
        mapped = Path(f"/proc/{running.process.pid}/maps").read_text()
        (directory,) = map(Path, {*re.findall(r"/\S*/orgctx-metrics-\w+", mapped)})
        assert directory.is_dir()
    assert not directory.exists()


def test_expiring_keys_are_in_the_last_third_of_their_life(own_acme: Deployment) -> None:
    own_acme.issue_key(make.ACME, make.OWNER)
    expiring = []
    for days, left in ((7, 3), (7, 2), (30, 8), (30, 6), (90, 6), (7, 0)):
        own_acme.execute(
            "UPDATE api_keys SET expires_at = now() + make_interval(days => %(left)s),"
            " created_at = now() - make_interval(days => %(days)s - %(left)s)",
            {"days": days, "left": left},
        )
        [[count]] = own_acme.execute("SELECT count_expiring_keys('7 days')")
        expiring += [(days, left)] * count
    assert expiring == [(7, 2), (30, 6), (90, 6)]
