"""GET /metrics at a separate address: the workers' counters, and values read on request."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property, partial
from importlib.metadata import version
from platform import python_version
from socket import AI_PASSIVE, SOCK_STREAM, getaddrinfo
from typing import Any

from orgctx.config.settings import split_address
from orgctx.errors import ApiError
from orgctx.http import health
from orgctx.http.recent import Recent
from orgctx.observability import metrics_files
from orgctx.stores.deadline import Deadline
from orgctx.stores.replicas import OK

PATH = "/metrics"
LOOK_SECONDS = 5
# How long ages and counts of whole tables stay as they are.
STORED_SECONDS = 60


class MetricsAddress:
    """Answers requests at the metrics' address; the application answers all others.

    Decides by the socket and not by the Host header, which the client chooses.
    """

    def __init__(self, application: Any, service: Any, readiness: Any, address: str) -> None:
        self._application = application
        self._host, self._port = split_address(address)
        self._service, self._readiness = service, readiness
        self._stored: Recent[list[Any]] = Recent()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if not self._is_ours(environ.get("orgctx.listener")):
            answer: Iterable[bytes] = self._application(environ, start_response)
            return answer
        if environ["PATH_INFO"] != PATH or environ["REQUEST_METHOD"] != "GET":
            start_response("404 Not Found", [("Content-Length", "0")])
            return [b""]
        body, kind = self._collect()
        start_response("200 OK", [("Content-Type", kind), ("Content-Length", str(len(body)))])
        return [body]

    def _is_ours(self, listener: Any) -> bool:
        """listener: the address that the connection was accepted at; text for a Unix socket."""
        if not isinstance(listener, tuple) or listener[1] != self._port:
            return False
        return listener[0] in self._hosts

    @cached_property
    def _hosts(self) -> set[str]:
        """What the setting's host is bound as: it may be a name, or an address in another form."""
        found = getaddrinfo(self._host or None, self._port, type=SOCK_STREAM, flags=AI_PASSIVE)
        return {str(place[0]) for *_, place in found}

    def _collect(self) -> tuple[bytes, str]:
        from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

        registry = CollectorRegistry()
        registry.register(_Looked(metrics_files.collect))
        registry.register(_Looked(self._look))
        return generate_latest(registry), CONTENT_TYPE_LATEST

    def _look(self) -> Iterator[Any]:
        from prometheus_client.core import GaugeMetricFamily as Gauge

        build = Gauge("orgctx_build_info", "What runs.", labels=["version", "python"])
        build.add_metric([version("orgctx"), python_version()], 1)
        yield build
        ready = Gauge(
            "orgctx_ready", "Whether a store answers as a request needs.", labels=["check"]
        )
        deadline = Deadline(LOOK_SECONDS)
        examine = partial(health.examine, self._service, deadline)
        found = self._readiness.get(examine, health.READY_SECONDS)
        for name, fault in found.items():
            ready.add_metric([name], 0 if fault else 1)
        yield ready
        yield from self._replicas(Gauge)
        if not found["database"]:
            # What fails is not remembered.
            with suppress(ApiError):
                yield from self._stored.get(self._look_into_tables, STORED_SECONDS)

    def _replicas(self, gauge: Callable[..., Any]) -> Iterator[Any]:
        lag = gauge(
            "orgctx_replica_lag_seconds",
            "At most how old the data of a read replica are.",
            labels=["replica"],
        )
        used = gauge("orgctx_replica_used", "Whether it may serve.", labels=["replica"])
        for one in self._service.replicas.all:
            lag.add_metric([one.name], one.lag_seconds)
            used.add_metric([one.name], one.state == OK)
        yield from (lag, used) if self._service.replicas.all else ()

    def _look_into_tables(self) -> list[Any]:
        """What is read from whole tables. Raises ApiError."""
        from prometheus_client.core import GaugeMetricFamily as Gauge

        age = Gauge("orgctx_source_age_seconds", "Of the oldest source of a kind.", labels=["kind"])
        late = Gauge("orgctx_sources_late", "Sources older than promised.", labels=["kind"])
        keys = Gauge("orgctx_keys_expiring", "Active keys that expire within 7 days.")
        query, deadline = self._service.pool.query, Deadline(LOOK_SECONDS)
        for kind, oldest_seconds, late_count in query("metrics/age_sources", {}, deadline).rows:
            if oldest_seconds is not None:
                age.add_metric([kind], oldest_seconds)
            late.add_metric([kind], late_count)
        keys.add_metric([], query("metrics/count_expiring_keys", {}, deadline).rows[0][0])
        return [age, late, keys]


class _Looked:
    """A collector of prometheus_client."""

    def __init__(self, look: Callable[[], Iterable[Any]]) -> None:
        self.collect = look
