"""Switchover and failover under load: PostgreSQL under Patroni, Redis under Sentinels."""

from collections.abc import Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Any

import pytest

from orgctx.cli.database import migrations
from tests.reliability.test_faults import ASSETS
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.patroni import Cluster, Node, cluster
from tests.support.redis_servers import Node as RedisNode
from tests.support.redis_servers import Watched, watched
from tests.support.service import Running, serve
from tests.support.traffic import revoke, traffic
from tests.support.waiting import until

pytestmark = [pytest.mark.system, pytest.mark.timeout(600)]
BUDGET = 3.0


@dataclass
class Service:
    """The service in front of a cluster."""

    cluster: Cluster
    redis: Watched
    deployment: Deployment
    running: Running
    key: str

    def is_answering(self) -> bool:
        """Return whether 8 requests in a row succeed."""
        return all(self.running.get(ASSETS, self.key).status == 200 for _ in range(8))

    def revoked_key(self) -> str:
        """Issue a key, and return it when its revocation is confirmed."""
        key = self.deployment.issue_key(make.ACME, make.OWNER)
        revoke(self.deployment, key)
        return key


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("patroni")
    with cluster(folder) as database, watched(folder / "redis") as redis:
        migrations.migrate(database.url, database.url)
        deployment = Deployment(database.url, redis.url)
        deployment.load_acme()
        key = deployment.issue_key(make.ACME, make.OWNER)
        settings: dict[str, Any] = {
            "database_read_url": database.read_url,
            "request_timeout_seconds": BUDGET,
        }
        with serve(deployment, **settings) as running:
            until(lambda: running.get("/readyz").body["replicas"] == ["ok"] * 3)
            yield Service(database, redis, deployment, running, key)


def test_switchover_keeps_revocations(service: Service) -> None:
    until(service.cluster.is_complete)
    leader, next_leader = (service.cluster.node(role) for role in ("leader", "sync_standby"))
    assert leader
    assert next_leader
    with traffic(service.running, ASSETS, service.key, service.revoked_key()) as seen:
        began = monotonic()
        leader.ask("switchover", {"leader": leader.name, "candidate": next_leader.name})
        until(lambda: service.cluster.node("leader") is next_leader)
        until(service.is_answering)
        until(service.cluster.is_connected)
        seen.revoked.append(service.revoked_key())
    print(f"switchover: {seen.figures(began)}")
    assert seen.statuses() <= {200, 503, 504}
    until(service.cluster.is_complete)


def lose_leader(service: Service, fault: str, *redis_nodes: RedisNode) -> Node:
    """Kill the leader's machine, and Redis servers, as soon as a revocation is confirmed.

    Returns the former leader.
    """
    until(service.cluster.is_complete)
    leader = service.cluster.node("leader")
    assert leader
    with traffic(service.running, ASSETS, service.key, service.revoked_key()) as seen:
        seen.revoked.append(service.revoked_key())
        began = monotonic()
        for node in redis_nodes:
            node.die()
        leader.die()
        until(lambda: service.cluster.node("leader") not in (None, leader))
        until(service.is_answering)
        until(service.cluster.is_connected)
        seen.revoked.append(service.revoked_key())
    print(f"{fault}: {seen.figures(began)}")
    assert seen.statuses() <= {200, 503, 504}
    return leader


def test_failover_keeps_revocations(service: Service) -> None:
    """The former leader returns as a replica."""
    leader = lose_leader(service, "failover")
    leader.start(service.cluster.etcd)
    until(service.cluster.is_complete)
    until(lambda: service.running.get("/readyz").body["replicas"] == ["ok"] * 3)


def test_failover_of_both_stores_keeps_revocations(service: Service) -> None:
    """PostgreSQL loses its leader and Redis its master at the same moment."""
    lose_leader(service, "both at once", service.redis.master)
