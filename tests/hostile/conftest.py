"""A loaded organization, served in this process and by the shipped server."""

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.mcp.endpoint import Endpoint
from tests.support.deployment import Deployment
from tests.support.service import Running, serve


@pytest.fixture
def rest(acme_app: Flask, key: str) -> FlaskClient:
    client = acme_app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {key}"
    return client


@pytest.fixture
def mcp(acme_app: Flask, key: str) -> Endpoint:
    return Endpoint(acme_app.test_client(), key)


@pytest.fixture(scope="module")
def running(acme: Deployment) -> Iterator[Running]:
    """The shipped server."""
    with serve(acme, workers=1) as running:
        yield running
