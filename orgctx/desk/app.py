"""Wire the desk: its views, the guard before them, and the headers and errors of all pages."""

import re
from dataclasses import replace
from functools import cache, partial
from importlib.resources import files
from time import perf_counter
from urllib.parse import urlsplit

import psycopg
from flask import Blueprint, Flask, Response, g, make_response, render_template, request, url_for
from werkzeug.exceptions import HTTPException, NotFound

from orgctx.app import create_api
from orgctx.config.settings import Config
from orgctx.decisions import DecisionRejected
from orgctx.desk import as_key, audit, documents, guard, keys, members, settings, sign_in, sources
from orgctx.desk.current import Desk, desk
from orgctx.desk.display import FILTERS
from orgctx.desk.guard import public
from orgctx.desk.sessions import SETTINGS, SignedCookie
from orgctx.errors import ApiError
from orgctx.gate.client_address import logged_address
from orgctx.http.current import SecurityHeaders
from orgctx.http.metrics import MetricsAddress
from orgctx.observability import logs
from orgctx.page import routes as page
from orgctx.page.files import File, read_bundle
from orgctx.stores.db import statements

file_routes = Blueprint("page_files", __name__)
# Pages load only files of the desk, and send forms only to it.
POLICY = page.POLICY.replace("form-action 'none'", "form-action 'self'")
# Without a referrer, browsers send the origin `null` with forms.
REFERRER = "same-origin"
# In the order of the navigation.
VIEWS = (sources.routes, documents.routes, keys.routes, audit.routes, members.routes)
# The hash of the content in the name of a file of the explorer page.
HASH = re.compile(r"-[^-.]+(?=\.)")
# A form contains the states of a page of sources, whose names may be long.
MAX_FORM_BYTES = 256 * 1024
UNAVAILABLE = "The desk cannot reach its database or Redis. Nothing was changed. Try again soon."
NO_PAGE = "The desk has no page at this address."
BROKEN = "The request failed because of a bug in the desk. See its log."


def create_desk(config: Config | None = None) -> Flask:
    """Create the WSGI application without connecting. config: by default from the environment."""
    config = config or Config.from_environment()
    settings.check(config)
    logs.configure(config.log_level, config.log_format)
    statements()
    app = Flask("orgctx.desk", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = app.config["MAX_FORM_MEMORY_SIZE"] = MAX_FORM_BYTES
    # It answers as a key, for the views of `as_key` alone.
    api = create_api(replace(config, audit_reads=""), as_key.KeyGate)
    api.register_blueprint(page.routes)
    app.extensions["orgctx.desk"] = Desk(config, api)
    app.config.update(SETTINGS)
    app.session_interface = SignedCookie()
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters.update(FILTERS)
    app.jinja_env.globals["file"] = lambda name: url_for("page_files.get_file", name=name)
    app.context_processor(lambda: {"member": g.get("member"), "views": VIEWS})
    for blueprint in (*VIEWS, sign_in.routes, file_routes, as_key.routes):
        app.register_blueprint(blueprint)
    if config.desk_oidc_issuer:
        # Authlib is optional.
        from orgctx.desk import openid

        openid.add(app, config)
    app.add_url_rule("/healthz", view_func=health)
    app.before_request(_begin)
    app.before_request(guard.admit)
    app.after_request(_end)
    app.register_error_handler(DecisionRejected, lambda error: _problem(409, str(error)))
    app.register_error_handler(HTTPException, _http_problem)
    app.register_error_handler(
        ApiError,
        lambda e: _failure(e.status, UNAVAILABLE if e.status > 500 else e.message, e),
    )
    app.register_error_handler(psycopg.OperationalError, partial(_failure, 503, UNAVAILABLE))
    app.register_error_handler(Exception, partial(_failure, 500, BROKEN))
    app.wsgi_app = SecurityHeaders(  # type: ignore[method-assign]
        app.wsgi_app, config.desk_url, POLICY, REFERRER
    )
    if config.desk_metrics_bind:
        app.wsgi_app = MetricsAddress(app.wsgi_app, config.desk_metrics_bind)  # type: ignore[method-assign]
    return app


def _begin() -> Response | None:
    """Begin the log line, and send requests for other hosts to ORGCTX_DESK_URL.

    Another host could belong to an attacker's page (DNS rebinding), and cookies and forms work only
    at that address. Probes do not know it.
    """
    g.started_at = perf_counter()
    logs.begin_request()
    url, host = desk().config.desk_url, request.environ.get("HTTP_HOST", "").lower()
    if request.endpoint == "health" or host == urlsplit(url).netloc:
        return None
    return make_response(render_template("elsewhere.html", url=url), 421)


def _end(response: Response) -> Response:
    """Add the headers of all pages, count the request, and write the log line."""
    if not response.headers.get("Cache-Control", "").startswith("public"):
        response.headers["Cache-Control"] = "no-store"
    if request.endpoint == "health":
        return response
    config, signed_in = desk().config, g.get("member")
    if config.desk_metrics_bind:
        # The library reads the environment when it is imported.
        from orgctx.observability.metrics import REQUEST_SECONDS, REQUESTS

        labels = (request.endpoint or "none", "desk")
        REQUESTS.labels(*labels, response.status_code).inc()
        REQUEST_SECONDS.labels(*labels).observe(perf_counter() - g.started_at)
    logs.log_request(
        method=request.method,
        route=request.url_rule.rule if request.url_rule else None,
        status=response.status_code,
        user_id=str(signed_in.user_id) if signed_in else None,
        organization_id=str(signed_in.organization_id) if signed_in else None,
        client=logged_address(request.environ, config),
    )
    return response


def _problem(status: int, message: str) -> Response:
    return make_response(render_template("problem.html", status=status, message=message), status)


def _http_problem(error: HTTPException) -> Response:
    text = NO_PAGE if isinstance(request.routing_exception, NotFound) else error.description
    response = _problem(error.code or 500, text or error.name)
    for name, value in error.get_headers(request.environ):
        if name not in ("Content-Type", "Content-Length"):
            response.headers.setdefault(name, value)
    return response


def _failure(status: int, message: str, error: Exception) -> Response:
    logs.note_error(error)
    return _problem(status, message)


@public
def health() -> Response:
    """Return that the process is up.

    There is no `/readyz`: without its database or Redis, the desk says so on a page, which people
    could not see if a load balancer took the desk away.
    """
    return Response('{"status":"ok"}', mimetype="application/json")


@file_routes.get("/files/<name>")
@public
def get_file(name: str) -> Response:
    """Return a file of `static`, or the style or icon of the explorer page."""
    file = _files().get(name)
    if file is None:
        raise NotFound(f"The desk has no file {name[:100]}.")
    headers = {"Cache-Control": page.REVALIDATED, "ETag": f'"{file.etag}"'}
    response = Response(file.body, content_type=file.content_type, headers=headers)
    response.make_conditional(request)
    return response


@cache
def _files() -> dict[str, File]:
    own = files("orgctx.desk").joinpath("static").iterdir()
    return {
        **{HASH.sub("", name): file for name, file in read_bundle().items()},
        **{path.name: File(path.name, path.read_bytes()) for path in own if path.is_file()},
    }
