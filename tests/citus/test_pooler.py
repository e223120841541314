"""Responses are the same with PgBouncer in transaction mode in front of the coordinator."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support import crawl
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.organizations import AMBER, BASALT
from tests.support.pooler import pooled
from tests.support.programs import need

CLIENTS = (AMBER, BASALT) * 2


@pytest.fixture(scope="module")
def through(tenants: Deployment) -> Iterator[Deployment]:
    need("pgbouncer")
    with pooled("pgbouncer", tenants.database_url, prepared=None) as pooler:
        yield Deployment(pooler.url, tenants.redis_url, tenants.admin_url)


def test_pooler_with_citus_responds_correctly_to_several_clients(
    tenants: Deployment, through: Deployment
) -> None:
    """The clients share fewer connections to the coordinator."""
    keys = {tenant.id: tenants.issue_key(tenant.id, make.OWNER) for tenant in CLIENTS}
    expected = {tenant.id: responses(tenants, keys[tenant.id]) for tenant in CLIENTS}
    with ThreadPoolExecutor(len(CLIENTS)) as threads:
        received = threads.map(lambda tenant: responses(through, keys[tenant.id]), CLIENTS)
        for tenant, given in zip(CLIENTS, received, strict=True):
            assert given == expected[tenant.id]


def responses(deployment: Deployment, key: str) -> list[tuple[int, str]]:
    """Status and body of every response."""
    with deployment.client(log_level="ERROR") as client:
        return [crawl.body(client, key, path) for path in crawl.reads()]
