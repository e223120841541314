"""The desk on the data of Acme, and browsers that are signed in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from orgctx.desk.app import create_desk
from orgctx.desk.guard import COOKIE, FORM_FIELD
from tests.page.conftest import axe, chromium
from tests.support import factories as make
from tests.support.deployment import Deployment

# Fixtures of the tests in a browser.
__all__ = ["axe", "chromium"]

ORIGIN = "http://localhost:8010"
TOKEN = re.compile(rf'name="{FORM_FIELD}" value="([^"]+)"')


class Browser:
    """A browser at the desk. It sends the cookie, the origin and the token of the last page."""

    def __init__(self, app: Flask) -> None:
        self.client: FlaskClient = app.test_client()
        self.token = ""

    def get(self, path: str, **options: object) -> TestResponse:
        """Load a page, and keep the token of its forms."""
        return self._seen(self.client.get(path, base_url=ORIGIN, **options))  # type: ignore[arg-type]

    def post(self, path: str, **fields: object) -> TestResponse:
        """Send a form."""
        return self._seen(
            self.client.post(
                path,
                base_url=ORIGIN,
                headers={"Origin": ORIGIN},
                data={FORM_FIELD: self.token, **fields},
            )
        )

    @property
    def cookie(self) -> str | None:
        """The secret of the session."""
        cookie = self.client.get_cookie(COOKIE, domain="localhost")
        return cookie.value if cookie else None

    def _seen(self, response: TestResponse) -> TestResponse:
        if found := TOKEN.search(response.get_data(as_text=True)):
            self.token = found[1]
        return response


def desk_of(deployment: Deployment) -> Flask:
    """Create the desk of a deployment."""
    return create_desk(replace(deployment.config, desk_database_url=deployment.admin_url))


@pytest.fixture
def desk(own_acme: Deployment) -> Iterator[Flask]:
    """The desk of Acme, which the test may change."""
    app = desk_of(own_acme)
    yield app
    app.extensions["orgctx.desk"].close()


@pytest.fixture
def sign_in(desk: Flask, own_acme: Deployment) -> Callable[..., Browser]:
    """Return a browser in which a member is signed in; by default the owner."""

    def sign_in(user_id: str = make.OWNER, organization_id: str = make.ACME) -> Browser:
        options = ("--organization", organization_id, "--for", user_id, "--json")
        link = own_acme.cli("desk", "invite", *options).json()["link"]
        browser = Browser(desk)
        assert browser.post("/sign-in", secret=link.partition("#")[2]).status_code == 303
        browser.get("/")
        return browser

    return sign_in
