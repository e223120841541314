"""An application with only the views of `orgctx.desk.as_key`, and a member who is signed in."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from threading import Thread
from typing import Any
from uuid import UUID

import psycopg
from flask import Flask, redirect, request
from flask.testing import FlaskClient
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.test import TestResponse

from orgctx import key_format
from orgctx.desk import as_key
from orgctx.http.current import SecurityHeaders
from orgctx.stores.db import Tenant
from tests.support import factories as make
from tests.support.deployment import Deployment

DESK, SIGN_IN = "/keys", "/sign-in"


@dataclass
class Member:
    organization_id: UUID
    user_id: UUID


@dataclass
class KeyViews:
    """app: the application. member: who is signed in; others are redirected to SIGN_IN."""

    deployment: Deployment
    app: Flask
    member: Member
    is_signed_in: bool = True

    def may_see(self) -> bool:
        return self.is_signed_in or request.path == SIGN_IN

    @property
    def client(self) -> FlaskClient:
        return self.app.test_client()

    def id_of(self, key: str) -> UUID:
        """Return the id of a key."""
        statement = "SELECT id FROM api_keys WHERE key_hash = %s"
        ((key_id,),) = self.deployment.execute(statement, [key_format.digest(key)])
        return UUID(str(key_id))

    def see(self, key_id: UUID, path: str = "/", method: str = "GET", **sent: Any) -> TestResponse:
        """Request a path of the page that runs as a key."""
        return self.client.open(f"{DESK}/{key_id}/see{path}", method=method, **sent)


@contextmanager
def key_views(deployment: Deployment, organization_id: str, **settings: Any) -> Iterator[KeyViews]:
    """Run the views while the block runs. settings: replace those of the deployment's Config."""
    member = Member(UUID(organization_id), UUID(make.OWNER))
    api = as_key.create_api(replace(deployment.config, **settings))
    app = Flask("desk", static_folder=None)
    app.wsgi_app = SecurityHeaders(app.wsgi_app, "")  # type: ignore[method-assign]
    with psycopg.connect(deployment.admin_url, autocommit=True) as connection:
        read = lambda: nullcontext(Tenant(connection, member.organization_id))  # noqa: E731
        app.register_blueprint(as_key.routes(api, lambda: member, read, desk=DESK))
        running = KeyViews(deployment, app, member)
        app.before_request(lambda: None if running.may_see() else redirect(SIGN_IN))
        app.add_url_rule(SIGN_IN, view_func=lambda: "<title>Sign in</title>")
        try:
            yield running
        finally:
            api.extensions["orgctx"].close()


@contextmanager
def serve(views: KeyViews) -> Iterator[str]:
    """Serve the views to a browser while the block runs. Yields their origin."""
    server = make_server("127.0.0.1", 0, views.app, threaded=True, request_handler=Quiet)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Quiet(WSGIRequestHandler):
    def log(self, *_: object) -> None:
        pass
