"""One organization with something in every source, read through the endpoint."""

import pytest
from flask import Flask

from tests.mcp.endpoint import Endpoint


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
