"""Large organizations for tests that only read them, created once per module and size."""

from collections.abc import Iterator

import psycopg
import pytest

from orgctx.embedded import Servers
from tests.scale import data
from tests.scale.data import Size
from tests.scale.plans import explaining
from tests.support import citus
from tests.support.deployment import copied


@pytest.fixture(scope="session", autouse=True)
def one_server() -> None:
    if citus.URL:
        pytest.skip("on a Citus cluster a shard's plan is not that of the coordinator")


@pytest.fixture(scope="module")
def size(request: pytest.FixtureRequest) -> Size:
    """Return the size of the large organization, the parameter of the test."""
    size: Size = request.param
    return size


@pytest.fixture(scope="module")
def scale(servers: Servers, template: str, size: Size) -> Iterator[psycopg.Connection]:
    with copied(servers, template) as deployment:
        data.fill(deployment, size)
        with explaining(deployment) as connection:
            yield connection
