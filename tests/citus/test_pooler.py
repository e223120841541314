"""Through PgBouncer in transaction mode before the coordinator, the answers are the same."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support import crawl
from tests.support import factories as make
from tests.support import organizations as orgs
from tests.support.deployment import Deployment
from tests.support.organizations import AMBER, BASALT, Organization
from tests.support.pooler import pooled
from tests.support.programs import need

CLIENTS = (AMBER, BASALT) * 2


@pytest.fixture(scope="module")
def direct(module_deployment: Deployment) -> Deployment:
    orgs.load(module_deployment)
    return module_deployment


@pytest.fixture(scope="module")
def through(direct: Deployment) -> Iterator[Deployment]:
    need("pgbouncer")
    with pooled("pgbouncer", direct.database_url, prepared=None) as pooler:
        yield Deployment(pooler.url, direct.redis_url, direct.admin_url)


def test_answers_of_several_clients(direct: Deployment, through: Deployment) -> None:
    """They take turns on fewer connections to the coordinator."""
    keys = {one.id: direct.issue_key(one.id, make.OWNER) for one in CLIENTS}
    with direct.app(log_level="ERROR") as app:
        asked = app.test_client()
        expected = {one: crawl.bodies(asked, key, crawl.reads()) for one, key in keys.items()}

    def ask(one: Organization) -> list[tuple[int, str]]:
        with through.app(log_level="ERROR") as app:
            return crawl.bodies(app.test_client(), keys[one.id], crawl.reads())

    with ThreadPoolExecutor(len(CLIENTS)) as threads:
        for one, given in zip(CLIENTS, threads.map(ask, CLIENTS), strict=True):
            assert given == expected[one.id]
