"""One organization with something in every source, read through the endpoint."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask

from tests.mcp.endpoint import Endpoint
from tests.mcp.served import Served, serve
from tests.support.deployment import Deployment


@pytest.fixture
def handshake(acme_app: Flask, key: str) -> Endpoint:
    return Endpoint(acme_app.test_client(), key)


@pytest.fixture
def modern(acme_app: Flask, key: str) -> Endpoint:
    return Endpoint(acme_app.test_client(), key, "modern")


@pytest.fixture(params=["handshake", "modern"])
def endpoint(request: pytest.FixtureRequest, acme_app: Flask, key: str) -> Endpoint:
    """The endpoint in each group of protocol versions."""
    return Endpoint(acme_app.test_client(), key, request.param)


@pytest.fixture(scope="module")
def served(acme: Deployment, key: str) -> Iterator[Served]:
    """The endpoint behind the real server, and a proxy to it that adds the key."""
    with serve(acme, key) as served:
        yield served
