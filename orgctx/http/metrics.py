"""GET /metrics at a separate address: the workers' metrics, and gauges that are read on request."""

import struct
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property, partial
from socket import AI_PASSIVE, SOCK_STREAM, getaddrinfo
from typing import Any

from orgctx.config.settings import split_address
from orgctx.errors import ApiError
from orgctx.http import health
from orgctx.http.health import Recent
from orgctx.stores.deadline import Deadline

PATH = "/metrics"
QUERY_SECONDS = 5
# How long gauges that read whole tables are reused.
STORED_SECONDS = 60


class MetricsAddress:
    """Answers requests at the address of metrics; the application answers all others.

    The socket decides and not the Host header, which the client chooses.
    """

    def __init__(self, application: Any, address: str) -> None:
        self._application = application
        self._host, self._port = split_address(address)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if not self._is_own(environ.get("orgctx.listener")):
            response: Iterable[bytes] = self._application(environ, start_response)
            return response
        if environ["PATH_INFO"] != PATH or environ["REQUEST_METHOD"] != "GET":
            start_response("404 Not Found", [("Content-Length", "0")])
            return [b""]
        body, content_type = self._read()
        headers = [("Content-Type", content_type), ("Content-Length", str(len(body)))]
        start_response("200 OK", headers)
        return [body]

    def _is_own(self, listener: Any) -> bool:
        """listener: the address that accepted the connection; text for a Unix socket."""
        if not isinstance(listener, tuple) or listener[1] != self._port:
            return False
        return listener[0] in self._hosts

    @cached_property
    def _hosts(self) -> set[str]:
        """The addresses of the setting's host, which may be a name or another spelling."""
        addresses = getaddrinfo(self._host or None, self._port, type=SOCK_STREAM, flags=AI_PASSIVE)
        return {str(address[0]) for *_, address in addresses}

    def _read(self) -> tuple[bytes, str]:
        """Return the metrics of this process, the only one, and their content type."""
        from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

        return generate_latest(), CONTENT_TYPE_LATEST


class ServiceMetrics(MetricsAddress):
    """The metrics of all workers of the service."""

    def __init__(self, application: Any, service: Any, readiness: Any, address: str) -> None:
        super().__init__(application, address)
        self._service, self._readiness = service, readiness
        self._table_gauges: Recent[list[Any]] = Recent()

    def _read(self) -> tuple[bytes, str]:
        from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
        from prometheus_client.multiprocess import MultiProcessCollector

        registry = CollectorRegistry(support_collectors_without_names=True)
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        registry.register(self)
        try:
            return generate_latest(registry), CONTENT_TYPE_LATEST
        except struct.error:
            # The file of a new worker was still empty.
            return generate_latest(registry), CONTENT_TYPE_LATEST

    def collect(self) -> Iterator[Any]:
        """Yield the gauges, as a collector of prometheus_client does."""
        from prometheus_client.core import GaugeMetricFamily as Gauge

        ready = Gauge(
            "orgctx_ready",
            "Whether a store is ready to serve requests; if not, the reason.",
            labels=["check", "reason"],
        )
        examine = partial(health.examine, self._service, Deadline(QUERY_SECONDS))
        checks = self._readiness.get(examine, health.READY_SECONDS).checks
        for name, error in checks.items():
            cause = {"reason": health.reason(error)} if error else {}
            ready.add_sample("orgctx_ready", {"check": name, **cause}, 0 if error else 1)
        yield ready
        if checks["database"] is None:
            # A query that failed is repeated with the next scrape.
            with suppress(ApiError):
                yield from self._table_gauges.get(self._read_tables, STORED_SECONDS)

    def _read_tables(self) -> list[Any]:
        """Return the gauges that read whole tables. Raises ApiError."""
        from prometheus_client.core import GaugeMetricFamily as Gauge

        late = Gauge(
            "orgctx_sources_late",
            "Number of sources older than their freshness target.",
            labels=["kind"],
        )
        keys = Gauge(
            "orgctx_keys_expiring",
            "Number of active keys that expire within 7 days, in the last third of their life.",
        )
        held = Gauge(
            "orgctx_documents_held",
            "Number of documents that wait for a release, by reason.",
            labels=["reason"],
        )
        waiting = Gauge(
            "orgctx_documents_held_oldest_seconds",
            "How long the document that waits longest for a release has waited.",
        )
        query, deadline = self._service.pool.query, Deadline(QUERY_SECONDS)
        for kind, late_count in query("http/count_late_sources", {}, deadline).rows:
            late.add_metric([kind], late_count)
        keys.add_metric([], query("http/count_expiring_keys", {}, deadline).rows[0][0])
        rows = query("http/count_held", {}, deadline).rows
        for reason, held_count, _ in rows:
            held.add_metric([reason], held_count)
        waiting.add_metric([], max(seconds or 0 for *_, seconds in rows))
        return [late, keys, held, waiting]
