"""The desk on the data of Acme, and browsers that are signed in."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from html import unescape
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import FileSystemBytecodeCache
from werkzeug.test import TestResponse

from orgctx.desk.app import create_desk
from orgctx.desk.sessions import COOKIE, Session
from tests.desk import running
from tests.support import factories as make
from tests.support.deployment import Deployment

SignIn = Callable[..., "Browser"]
ORIGIN = "http://localhost:8010"
# Otherwise each desk of the tests would compile its templates.
COMPILED = FileSystemBytecodeCache()
# Where a request goes whose session has ended.
ENDED = "/sign-in?ended=1"
HIDDEN_FIELD = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


class Browser:
    """A browser at the desk. It sends the cookie and the origin.

    fields: the hidden fields of all forms of the last page; a list where a name has several values.
    """

    def __init__(self, app: Flask) -> None:
        self.client: FlaskClient = app.test_client()
        self.fields: dict[str, Any] = {}

    def get(self, path: str, **options: object) -> TestResponse:
        """Load a page, and keep its hidden fields."""
        return self._remember(self.client.get(path, base_url=ORIGIN, **options))  # type: ignore[arg-type]

    def post(self, path: str, **fields: object) -> TestResponse:
        """Send a form."""
        return self.send(path, fields)

    def send(
        self, path: str, fields: Mapping[str, object], headers: Mapping[str, str] | None = None
    ) -> TestResponse:
        """Send a form with further headers."""
        return self._remember(
            self.client.post(
                path,
                base_url=ORIGIN,
                headers={"Origin": ORIGIN, **(headers or {})},
                data=dict(fields),
            )
        )

    def text(self, path: str) -> str:
        """Load a page. Returns its HTML."""
        return self.get(path).get_data(as_text=True)

    def decide(self, page: str, form: str = "", **fields: object) -> TestResponse:
        """Load a page, and send its form. form: its address, by default that of the page."""
        self.get(page)
        return self.send(form or page, self.fields | fields)

    @property
    def cookie(self) -> str | None:
        """The secret of the session."""
        cookie = self.client.get_cookie(COOKIE, domain="localhost")
        return cookie.value if cookie else None

    def _remember(self, response: TestResponse) -> TestResponse:
        values: dict[str, dict[str, None]] = {}
        for name, value in HIDDEN_FIELD.findall(response.get_data(as_text=True)):
            values.setdefault(unescape(name), {})[unescape(value)] = None
        self.fields = {
            name: [*each] if len(each) > 1 else next(iter(each)) for name, each in values.items()
        }
        return response


@contextmanager
def desk_of(deployment: Deployment, **settings: Any) -> Iterator[Flask]:
    """The desk of a deployment while the block runs; `settings` replace those of its config."""
    settings = {"desk_database_url": deployment.admin_url, **settings}
    app = create_desk(replace(deployment.config, **settings))
    app.jinja_env.bytecode_cache = COMPILED
    try:
        yield app
    finally:
        app.extensions["orgctx.desk"].close()


@pytest.fixture
def desk(own_acme: Deployment) -> Iterator[Flask]:
    """The desk of Acme, which the test may change."""
    with desk_of(own_acme) as app:
        yield app


@pytest.fixture(scope="module")
def module_desk(acme: Deployment) -> Iterator[Flask]:
    with desk_of(acme) as app:
        yield app


@pytest.fixture
def shared_desk(module_desk: Flask, redis_url: str) -> Flask:
    """The desk of Acme, for tests that change only sessions. Empties Redis."""
    return module_desk


def link_of(
    deployment: Deployment,
    user_id: str = make.OWNER,
    organization: str = "acme",
    **environment: str,
) -> str:
    """Return the secret of a new link. environment: variables of the command."""
    options = ("--organization", organization, "--for", user_id, "--json")
    link: str = deployment.cli("desk", "invite", *options, **environment).json()["link"]
    return link.partition("#")[2]


def signed_in(
    app: Flask, user_id: str = make.OWNER, organization: str = make.ACME, age_seconds: float = 0
) -> Browser:
    """Return a browser with the cookie of a session, without the audit record of a sign-in."""
    browser = Browser(app)
    with browser.client.session_transaction(base_url=ORIGIN) as session:
        at = datetime.now(UTC) - timedelta(seconds=age_seconds)
        started = Session(UUID(organization), UUID(user_id), at)
        session["member"] = started.to_json()
    return browser


@pytest.fixture
def sign_in(desk: Flask) -> SignIn:
    """Return a browser in which a member is signed in; by default the owner."""
    return partial(signed_in, desk)


@pytest.fixture
def reader(shared_desk: Flask) -> Browser:
    """The owner's browser, for tests that only read."""
    return signed_in(shared_desk)


@pytest.fixture(scope="module")
def url(acme: Deployment) -> Iterator[str]:
    """The address of `orgctx desk` for `acme`."""
    with running.desk(acme) as (url, _):
        yield url
