"""Traces by OpenTelemetry: a span for each request, MCP message, statement and Redis command.

Names and attributes follow the semantic conventions for HTTP, MCP and databases. The SDK reads its
own OTEL_* variables. No span contains client input, except the ids and flags of `traceparent`, so
attributes such as url.path are left out.
"""

import logging
from collections.abc import Mapping
from contextvars import ContextVar
from functools import cached_property
from importlib.metadata import version
from threading import Lock, Thread
from time import perf_counter, time_ns
from typing import Any

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import (
    Link,
    SpanKind,
    StatusCode,
    Tracer,
    get_current_span,
    set_span_in_context,
)
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from orgctx.observability.logs import log_server
from orgctx.observability.observers import REDIS, Observer, RequestLabels

# How long a worker that ends waits for the export of its last spans.
SHUTDOWN_SECONDS = 2

# Spans name any other method `_OTHER`.
METHODS = frozenset(
    ("CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE")
)

# The trace contexts of the current request, and of the MCP message in it, if there is one.
_request: ContextVar[Context | None] = ContextVar("request", default=None)
_message: ContextVar[Context | None] = ContextVar("message", default=None)


class Traces(Observer):
    """Exports spans. The exporter starts after the fork, with the first worker or request."""

    def __init__(self) -> None:
        self._start_lock = Lock()
        self._propagator = TraceContextTextMapPropagator()
        logger = logging.getLogger("opentelemetry")
        logger.handlers, logger.propagate = [_LogHandler()], False

    @cached_property
    def _provider(self) -> TracerProvider:
        defaults = {"service.name": "orgctx", "service.version": version("orgctx")}
        resource = Resource.create(defaults).merge(OTELResourceDetector().detect())
        provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        return provider

    @cached_property
    def _tracer(self) -> Tracer:
        with self._start_lock:
            return self._provider.get_tracer("orgctx")

    def begin_worker(self) -> None:
        self._tracer  # noqa: B018, starts the exporter

    def end_worker(self, *, failed: bool) -> None:  # noqa: ARG002
        shutdown = Thread(target=self._provider.shutdown, daemon=True)
        shutdown.start()
        shutdown.join(SHUTDOWN_SECONDS)

    def begin_request(self, environ: Mapping[str, Any], request_id: str) -> None:
        carrier = {"traceparent": environ.get("HTTP_TRACEPARENT", "")}
        method = environ.get("REQUEST_METHOD", "")
        attributes = {
            "orgctx.request_id": request_id,
            "http.request.method": method if method in METHODS else "_OTHER",
            "url.scheme": environ.get("wsgi.url_scheme", "http"),
        }
        parent = self._propagator.extract(carrier, Context())
        name = attributes["http.request.method"].replace("_OTHER", "HTTP")
        span = self._tracer.start_span(name, parent, SpanKind.SERVER, attributes)
        _message.set(None)
        _request.set(set_span_in_context(span, Context()))

    def end_request(
        self,
        labels: RequestLabels,
        status: int,
        started_at: float,  # noqa: ARG002
        route: str = "",
    ) -> None:
        span: Any = get_current_span(_request.get())
        _request.set(None)
        span.set_attributes(
            {
                "orgctx.operation": labels.operation,
                "orgctx.interface": labels.interface,
                "http.response.status_code": status,
            }
        )
        if route:
            span.set_attribute("http.route", route)
            # A span that is not sampled has no name.
            span.update_name(f"{getattr(span, 'name', '')} {route}")
        if status >= 500:
            span.set_attribute("error.type", str(status))
            span.set_status(StatusCode.ERROR)
        span.end()

    def begin_message(self, method: str, tool: str, traceparent: str) -> None:
        request = _request.get() or Context()
        attributes = {
            "mcp.method.name": method,
            "network.protocol.name": "http",
            "network.transport": "tcp",
        }
        if tool:
            attributes |= {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool}
        remote = self._propagator.extract({"traceparent": traceparent}, Context())
        is_remote = get_current_span(remote).get_span_context().is_valid
        links = [Link(get_current_span(request).get_span_context())] if is_remote else []
        span = self._tracer.start_span(
            f"{method} {tool}".rstrip(),
            remote if is_remote else request,
            SpanKind.SERVER,
            attributes,
            links,
        )
        _message.set(set_span_in_context(span, Context()))

    def end_message(self, error: str) -> None:
        span = get_current_span(_message.get())
        _message.set(None)
        if error:
            span.set_attribute("error.type", error)
            span.set_status(StatusCode.ERROR)
        if error.startswith("-"):
            span.set_attribute("rpc.response.status_code", error)
        span.end()

    def end_round_trip(
        self, store: str, names: tuple[str, ...], started_at: float, error: BaseException | None
    ) -> None:
        """Create a span for each statement; spans of one round trip start and end together."""
        parent = _message.get() or _request.get()
        if parent is None:
            return
        ended_ns = time_ns()
        started_ns = ended_ns - int((perf_counter() - started_at) * 1e9)
        for name in names:
            attributes = {"db.system.name": store, "db.query.summary": name}
            if store == REDIS:
                attributes["db.operation.name"] = name
            span = self._tracer.start_span(
                name, parent, SpanKind.CLIENT, attributes, start_time=started_ns
            )
            if error is not None:
                # The message of the exception may quote values.
                span.set_attribute("error.type", type(error).__qualname__)
                if state := getattr(error, "sqlstate", None):
                    span.set_attribute("db.response.status_code", state)
                span.set_status(StatusCode.ERROR)
            span.end(ended_ns)


class _LogHandler(logging.Handler):
    """Writes OpenTelemetry's log records as lines of the service's log, without their values.

    A value may be a header that contains a secret.
    """

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        log_server(record.levelno, f"OpenTelemetry: {record.msg}", error)
