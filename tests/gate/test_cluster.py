"""Quotas on a Redis Cluster of three nodes."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.support import factories as make
from tests.support import redis_servers
from tests.support.deployment import Deployment
from tests.support.processes import free_port
from tests.support.redis_servers import Cluster


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with redis_servers.cluster(tmp_path_factory.mktemp("cluster"), replicas=False) as servers:
        yield servers


@pytest.mark.thorough
def test_redis_cluster_counts_marks_and_limits(own_acme: Deployment, cluster: Cluster) -> None:
    key = own_acme.issue_key(make.ACME, make.OWNER)
    with own_acme.client(key, redis_url=cluster.url, limit_key=3) as client:
        answers = [client.get("/api/v1/x/mentions") for _ in range(5)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
        assert client.get("/readyz").json["checks"]["redis"] == "ok"
    node = cluster.masters[cluster.owner(f"{{{make.ACME}}}")]
    assert node.ask("GET", f"orgctx:watched:{{{make.ACME}}}") is not None
    assert node.ask("GET", f"orgctx:quota:{{{make.ACME}}}") == b"3"


@pytest.mark.thorough
def test_doctor_checks_a_redis_cluster(deployment: Deployment, cluster: Cluster) -> None:
    of_cluster = replace(deployment, redis_url=cluster.url)
    whole = "ok       redis: available as a cluster; ORGCTX_REDIS_URL has 3 of its nodes"
    assert of_cluster.check("redis") == whole
    unauthenticated = cluster.url.replace("://", "://nobody:wrong-secret@")
    wrong = deployment.check("redis", ORGCTX_REDIS_URL=unauthenticated)
    assert "rejects the user or the password of ORGCTX_REDIS_URL" in wrong
    assert "wrong-secret" not in wrong
    for node in cluster.masters:
        node.ask("CONFIG", "SET", "cluster-require-full-coverage", "yes")
    try:
        assert "set it to no" in of_cluster.check("redis")
    finally:
        for node in cluster.masters:
            node.ask("CONFIG", "SET", "cluster-require-full-coverage", "no")


def test_app_starts_while_the_redis_cluster_is_unreachable(deployment: Deployment) -> None:
    with deployment.app(redis_url=f"redis+cluster://127.0.0.1:{free_port()}") as app:
        assert app.test_client().get("/healthz").status_code == 200
        assert app.test_client().get("/readyz").json["checks"]["redis"] == "connection refused"
        assert app.test_client().get("/api/v1/sources").status_code == 503
