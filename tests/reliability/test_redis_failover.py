"""A master of a Redis Cluster dies under load."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from tests.reliability.test_quotas import ask
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.redis_servers import Cluster, cluster
from tests.support.service import Answer, serve
from tests.support.traffic import steady
from tests.support.waiting import PATIENCE_SECONDS, until

pytestmark = pytest.mark.system

CLIENTS = 8
WINDOW_SECONDS = 60
# The maximum time for an unreachable server, and for responses that wait for it.
BUDGET = 2.0


def recovered(ask_once: Callable[[], Answer]) -> float:
    """Seconds until eight requests in a row succeed."""
    began, good = monotonic(), 0
    while good < 8:
        good = good + 1 if ask_once().status == 200 else 0
        assert monotonic() - began < PATIENCE_SECONDS
        sleep(0.02)
    return monotonic() - began


@pytest.fixture(scope="module")
def organizations(module_deployment: Deployment) -> dict[str, str]:
    """Keys by the id of their organization."""
    keys = {}
    for number in range(1, 13):
        id_ = make.uuid(f"organization {number}")
        module_deployment.load([make.organization(id_, slug=f"number-{number}"), *make.staff(id_)])
        keys[id_] = module_deployment.issue_key(id_, make.OWNER)
    return keys


def of_organization(id_: str) -> str:
    return f"orgctx:quota:{{{id_}}}"


def an_address(servers: Cluster, place: int) -> str:
    """A loopback address whose counter is on that master."""
    return next(
        address for address in (f"127.0.0.{last}" for last in range(2, 255))
        if servers.owner(f"orgctx:quota:ip:{address}") == place
    )  # fmt: skip


@pytest.mark.parametrize("has_replicas", [True, False])
def test_redis_cluster_master_dies_under_load(
    tmp_path: Path,
    module_deployment: Deployment,
    organizations: dict[str, str],
    has_replicas: bool,
) -> None:
    """Only its slots give 503, until it or its replica serves. The others count exactly."""
    limit = 100
    with cluster(tmp_path / "cluster", replicas=has_replicas) as servers:
        first: dict[int, str] = {}
        for id_ in organizations:
            first.setdefault(servers.owner(of_organization(id_)), id_)
        assert len(first) == 3, "too few organizations to meet each master"
        here = an_address(servers, 1)
        service = replace(module_deployment, redis_url=servers.url)
        settings: dict[str, Any] = {
            "limit_organization": limit, "request_timeout_seconds": BUDGET, "workers": 2,
        }  # fmt: skip
        with serve(service, **settings) as running:
            workers = running.workers()
            lost, kept = first[0], first[2]

            def send(id_: str, address: str = here) -> Answer:
                return ask(running, organizations[id_], address)

            assert {send(id_).status for id_ in (lost, kept)} == {200}
            began = monotonic()
            with steady(lambda: send(kept), CLIENTS) as answers:
                sleep(0.2)
                servers.masters[0].die()
                rejected = send(lost)
                assert rejected.status in (503, 504)
                # The service charges the address first.
                assert send(kept, an_address(servers, 0)).status in (503, 504)
                if not has_replicas:
                    servers.masters[0].start()
                seconds = recovered(lambda: send(lost))
                until(lambda: len(answers) > 2 * limit, "no load")
            statuses = Counter(answer.status for answer in answers)
            elapsed = monotonic() - began
            print(f"recovered in {seconds:.1f} s; others: {dict(statuses)}")
            assert set(statuses) == {200, 429}
            admitted = statuses[200] + 1
            assert admitted <= limit * (1 + elapsed // WINDOW_SECONDS)
            if elapsed < WINDOW_SECONDS:
                assert admitted == limit
                assert servers.masters[2].ask("GET", of_organization(kept)) == b"%d" % limit
            if has_replicas:
                servers.masters[0].start()
                recovered(lambda: send(first[0]))
            assert running.get("/readyz").status == 200
            assert running.workers() == workers
