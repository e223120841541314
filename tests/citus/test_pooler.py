"""Through PgBouncer in transaction mode before the coordinator, the answers are the same."""

from __future__ import annotations

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
    """They take turns on fewer connections to the coordinator."""
    keys = {one.id: tenants.issue_key(one.id, make.OWNER) for one in CLIENTS}
    expected = {one.id: asked(tenants, keys[one.id]) for one in CLIENTS}
    with ThreadPoolExecutor(len(CLIENTS)) as threads:
        found = threads.map(lambda one: asked(through, keys[one.id]), CLIENTS)
        for one, given in zip(CLIENTS, found, strict=True):
            assert given == expected[one.id]


def asked(deployment: Deployment, key: str) -> list[tuple[int, str]]:
    """Status and body of every answer."""
    with deployment.app(log_level="ERROR") as app:
        client = app.test_client()
        return [crawl.body(client, key, path) for path in crawl.reads()]
