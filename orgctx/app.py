"""Wire the parts of the service, and give every response its headers, log line and error body."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from time import perf_counter
from typing import Any

import orjson
from flask import Flask, Request, Response, g
from werkzeug.exceptions import HTTPException

from orgctx import rest
from orgctx.config.settings import Config
from orgctx.errors import ApiError, InternalError, MalformedRequest, MethodNotAllowed, NotFound
from orgctx.gate.admission import Admission, Gate
from orgctx.gate.client_address import logged_address
from orgctx.http import current, health
from orgctx.http.current import JsonResponse, SecurityHeaders
from orgctx.http.health import Recent
from orgctx.http.metrics import ServiceMetrics
from orgctx.http.reads import ReadLog
from orgctx.mcp import oauth
from orgctx.mcp import routes as mcp
from orgctx.observability import logs
from orgctx.observability.observers import OBSERVERS, RequestLabels
from orgctx.openapi import routes as openapi
from orgctx.page import routes as page
from orgctx.resources import catalog
from orgctx.stores.db import granted, statements
from orgctx.stores.pool import Pool
from orgctx.stores.quota import Quota
from orgctx.stores.replicas import Replicas

NO_SUCH_PATH = f"Unknown path. See {rest.PREFIX}/openapi.json for all paths."
WITHOUT_RATE_LIMIT_HEADERS = frozenset({401, 405, 413, 504})


@dataclass(frozen=True)
class Service:
    """What all views share. pool: connections to the primary."""

    config: Config
    pool: Pool
    replicas: Replicas
    quota: Quota
    gate: Gate
    # None unless reads are recorded.
    read_log: ReadLog | None

    def close(self) -> None:
        self.pool.close()
        self.replicas.close()
        self.quota.close()


class Application(Flask):
    """Flask whose functions are not coroutines; it would examine four of them in each request."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        return func


def create_app(config: Config | None = None) -> Flask:
    """Create the WSGI application without connecting. config: by default from the environment."""
    config = config or Config.from_environment()
    logs.configure(config.log_level, config.log_format)
    app = create_api(config)
    app.extensions["readiness"] = Recent()
    health.statements()  # cached now, as in create_api
    app.register_blueprint(health.routes)
    app.register_blueprint(mcp.routes)
    app.register_blueprint(oauth.routes)
    app.register_blueprint(page.routes)
    app.after_request(_log)
    app.wsgi_app = SecurityHeaders(app.wsgi_app, config.base_url)  # type: ignore[method-assign]
    if config.metrics_bind:
        app.wsgi_app = ServiceMetrics(  # type: ignore[method-assign]
            app.wsgi_app,
            app.extensions["orgctx"],
            app.extensions["readiness"],
            config.metrics_bind,
        )
    return app


def create_api(config: Config, gate: type[Gate] = Gate) -> Flask:
    """Create an application with the REST API and its contract, but no logs and security headers.

    gate: how requests are admitted.
    """
    # Compute what is cached now, not in a request: an upgrade may replace the files.
    statements()
    granted()
    app = Application("orgctx", static_folder=None)
    app.url_map.strict_slashes = True
    app.url_map.merge_slashes = False
    app.extensions["orgctx"] = _service(config, gate)
    for resource in catalog.RESOURCES:
        app.register_blueprint(rest.blueprint(resource))
    app.register_blueprint(openapi.routes)
    app.before_request(_begin)
    app.after_request(_end)
    app.register_error_handler(ApiError, _error_response)
    app.register_error_handler(HTTPException, _http_error_response)
    app.register_error_handler(Exception, _internal_error_response)
    return app


def _service(config: Config, gate: type[Gate]) -> Service:
    pool = Pool.configured(config.database_url, config)
    replicas = Replicas(config)
    quota = Quota(config.redis_url, timeout_seconds=config.request_timeout_seconds)
    read_log = ReadLog(config.audit_reads) if config.audit_reads else None
    return Service(config, pool, replicas, quota, gate(config, pool, replicas, quota), read_log)


def _begin() -> None:
    """Begin the admission of a request, and admit it if its path belongs to REST."""
    service: Service = current.service()
    request = current.request()
    g.admission = service.gate.new_admission()
    logs.begin_request()
    raw_path = current.path_as_sent(request.environ)
    is_plain = current.is_plain(raw_path)
    if rest.is_rest_path(request.path) and (is_plain or rest.is_rest_path(raw_path)):
        rest.admit(is_plain=is_plain)
    if not is_plain:
        raise NotFound(NO_SUCH_PATH)


def _end(response: Response) -> Response:
    """Add the common headers, and tell the observers."""
    request = current.request()
    admission: Admission = current.admission()
    headers = [("X-Request-Id", admission.request_id)]
    if response.status_code not in WITHOUT_RATE_LIMIT_HEADERS:
        headers += admission.rate_limit_headers()
    response.headers.extend(headers)
    if OBSERVERS:
        labels = _labels(request)
        for observer in OBSERVERS:
            observer.end_request(labels, response.status_code, admission.started_at)
    return response


def _labels(request: Request) -> RequestLabels:
    """Return the operation and the interface of a request."""
    rule = request.url_rule
    if rule is None:
        return RequestLabels("none", "none")
    if rule.rule in mcp.PATHS:
        tools = logs.noted_tools()
        if len(tools) == 1:
            return RequestLabels(tools[0], "mcp")
        return RequestLabels("batch" if tools else "protocol", "mcp")
    return _labels_of_rule(rule.endpoint, rule.rule)


@cache
def _labels_of_rule(endpoint: str, path: str) -> RequestLabels:
    return RequestLabels(
        endpoint.rpartition(".")[2], "rest" if rest.is_rest_path(path) else "health"
    )


def _log(response: Response) -> Response:
    request, config = current.request(), current.service().config
    admission: Admission = current.admission()
    caller, limit, rule = admission.caller, admission.tightest(), request.url_rule
    logs.log_request(
        request_id=admission.request_id,
        method=request.method,
        route=rule.rule if rule else None,
        status=response.status_code,
        duration_ms=round((perf_counter() - admission.started_at) * 1000, 1),
        key_id=str(caller.key_id) if caller else None,
        organization_id=str(caller.organization.id) if caller else None,
        client=logged_address(request.environ, config),
        limited_by=admission.limited_by,
        tightest_limit=limit.name if limit else None,
        limit=limit.limit if limit else None,
        limit_remaining=limit.remaining if limit else None,
    )
    return response


def _error_response(error: ApiError) -> Response:
    logs.note_error(error)
    body = orjson.dumps(error.body(current.admission().request_id))
    response = JsonResponse(body, error.headers, error.status)
    response.headers["Cache-Control"] = "no-store"
    return response


def _http_error_response(error: HTTPException) -> Response:
    """Convert an error of Flask: an unknown path or method, or undecodable bytes."""
    if error.code == 404:
        return _error_response(NotFound(NO_SUCH_PATH))
    if error.code == 405:
        return _error_response(
            MethodNotAllowed(error.get_response().headers.get("Allow", ", ".join(rest.METHODS)))
        )
    if error.code is not None and 400 <= error.code < 500:
        return _error_response(MalformedRequest())
    return _internal_error_response(error)


def _internal_error_response(error: Exception) -> Response:
    logs.note_error(error)
    return _error_response(InternalError())
