"""A fake OpenTelemetry collector, which stores the spans that it receives by OTLP/HTTP."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from typing import Any, NamedTuple

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from tests.support.http_server import Handler, serving
from tests.support.waiting import until


class Span(NamedTuple):
    """A span as received. Ids are in hex; kind and status are OTLP's numbers."""

    name: str
    id: str
    parent: str
    trace: str
    kind: int
    status: int
    began: int
    ended: int
    attributes: dict[str, Any]
    resource: dict[str, Any]


class Collector(ThreadingHTTPServer):
    """received: the bodies. status: the status of responses."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.received: list[bytes] = []
        self.headers: list[dict[str, str]] = []
        self.status = 200

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def spans(self) -> list[Span]:
        return [span for body in [*self.received] for span in _spans(body)]

    def request(self, request_id: str) -> tuple[Span, list[Span]]:
        """Wait for the span of a request, and return it with its children."""

        def roots() -> list[Span]:
            pairs = ((span, span.attributes.get("orgctx.request_id")) for span in self.spans())
            return [span for span, id_ in pairs if id_ == request_id]

        until(roots, f"no span of {request_id}")
        (root,) = roots()
        return root, [span for span in self.spans() if span.parent == root.id]


class _Handler(Handler):
    server: Collector

    def respond(self) -> None:
        body = self.body()
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.server.headers.append({"path": self.path, **self.headers})
        self.server.received.append(body)
        answer = ExportTraceServiceResponse().SerializeToString()
        self.answer(answer, self.server.status, "application/x-protobuf")


def _spans(body: bytes) -> Iterator[Span]:
    for group in ExportTraceServiceRequest.FromString(body).resource_spans:
        resource = _attributes(group.resource.attributes)
        for scope in group.scope_spans:
            for span in scope.spans:
                yield Span(
                    span.name, span.span_id.hex(), span.parent_span_id.hex(), span.trace_id.hex(),
                    span.kind, span.status.code, span.start_time_unix_nano,
                    span.end_time_unix_nano, _attributes(span.attributes), resource,
                )  # fmt: skip


def _attributes(pairs: Any) -> dict[str, Any]:
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in pairs}


@contextmanager
def collector() -> Iterator[Collector]:
    """A collector that listens while the block runs."""
    server = Collector()
    with serving(server):
        yield server
