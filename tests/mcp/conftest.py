"""One organization with something in every source, read through the endpoint."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask

from tests.mcp.endpoint import Endpoint
from tests.mcp.served import Served, serve
from tests.support import factories as make
from tests.support.deployment import Deployment


@pytest.fixture(scope="module")
def acme_app(acme: Deployment) -> Iterator[Flask]:
    with acme.app() as app:
        yield app


@pytest.fixture(scope="module")
def acme_key(acme: Deployment) -> str:
    """A key with every scope, for REST and MCP."""
    return acme.issue_key(make.ACME, make.OWNER)


@pytest.fixture
def handshake(acme_app: Flask, acme_key: str) -> Endpoint:
    return Endpoint(acme_app.test_client(), acme_key)


@pytest.fixture
def modern(acme_app: Flask, acme_key: str) -> Endpoint:
    return Endpoint(acme_app.test_client(), acme_key, "modern")


@pytest.fixture(params=["handshake", "modern"])
def endpoint(request: pytest.FixtureRequest, acme_app: Flask, acme_key: str) -> Endpoint:
    """The endpoint in each group of protocol versions."""
    return Endpoint(acme_app.test_client(), acme_key, request.param)


@pytest.fixture(scope="module")
def served(acme: Deployment, acme_key: str) -> Iterator[Served]:
    """The endpoint behind the real server, and a proxy to it that adds the key."""
    with serve(acme, acme_key) as served:
        yield served
