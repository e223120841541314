"""The large data, made once for all modules that only explain statements over it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from orgctx.embedded import Servers
from tests.scale import data
from tests.scale.data import Size
from tests.support.deployment import Deployment, new_database


@pytest.fixture(scope="module")
def size(request: pytest.FixtureRequest) -> Size:
    """The size of the large organization."""
    size: Size = request.param
    return size


@pytest.fixture(scope="module")
def scale(servers: Servers, template: str, size: Size) -> Iterator[Deployment]:
    with new_database(servers.database_url, template=template) as url:
        deployment = Deployment(url, servers.redis_url)
        data.fill(deployment, size)
        yield deployment
