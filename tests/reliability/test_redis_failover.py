"""A master of a Redis Cluster, or a master under Sentinels, dies under load."""

import signal
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
from tests.support.redis_servers import (
    SERVICE,
    Cluster,
    Watched,
    cluster,
    watched,
)
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


def kill(servers: Watched) -> None:
    servers.master.die()


def stop(servers: Watched) -> None:
    """Stop the master's process, so that it is replaced before it continues."""
    servers.master.send(signal.SIGSTOP)


@pytest.mark.parametrize("fault", [kill, stop])
def test_sentinels_promote_another_master_under_load(
    tmp_path: Path,
    module_deployment: Deployment,
    organizations: dict[str, str],
    fault: Callable[[Watched], None],
) -> None:
    key = next(iter(organizations.values()))
    limit = 300
    # A master that returns counts separately until the Sentinels reconfigure it.
    with watched(tmp_path / "watched", needs_replica=True) as servers:
        service = replace(module_deployment, redis_url=servers.url)
        settings: dict[str, Any] = {
            "limit_organization": limit, "request_timeout_seconds": BUDGET, "workers": 2,
        }  # fmt: skip
        with serve(service, **settings) as running:
            workers = running.workers()
            assert ask(running, key, "127.0.0.2").status == 200
            old, began = servers.master, monotonic()
            with steady(lambda: ask(running, key, "127.0.0.2"), CLIENTS) as answers:
                sleep(0.2)
                fault(servers)
                until(lambda: servers.master is not old, "no new master")
                seen = len(answers)
                until(lambda: running.get("/readyz").status == 200, "no readiness")
                if old.process:
                    old.send(signal.SIGCONT)
                    until(lambda: b"role:slave" in old.ask("INFO"), "no old master as a replica")
                until(
                    lambda: any(reply.status == 429 for reply in answers[seen:]),
                    "no exhausted limit",
                )
                done = len(answers)
                # The Sentinels learn one after another, and the other worker may ask a later one.
                until(
                    lambda: (
                        len(answers) > done + 4 * CLIENTS
                        and {reply.status for reply in answers[-4 * CLIENTS :]} <= {200, 429}
                    ),
                    "no end of the outage",
                )
            statuses = Counter(answer.status for answer in answers)
            print(f"{fault.__name__}: {dict(statuses)}")
            assert set(statuses) <= {200, 429, 503, 504}
            if (elapsed := monotonic() - began) < WINDOW_SECONDS:
                # The replica may lack the last counts of the master.
                assert limit <= statuses[200] + 1 + statuses[503] + statuses[504]
                assert statuses[200] + 1 <= limit + CLIENTS
            else:
                assert statuses[200] <= (limit + CLIENTS) * (1 + elapsed // WINDOW_SECONDS)
            assert running.workers() == workers


def test_doctor_checks_sentinels(tmp_path: Path, module_deployment: Deployment) -> None:
    def redis_line(servers: Watched, before: str = "", after: str = "") -> str:
        return module_deployment.check("redis", ORGCTX_REDIS_URL=servers.url.replace(before, after))

    with watched(tmp_path / "watched", replicas=1) as servers:
        whole = "ok       redis: available as 'counters', the master of 3 Sentinels"
        assert redis_line(servers) == whole
        assert "do not know the master 'others'" in redis_line(servers, f"/{SERVICE}", "/others")
        for sentinel in servers.sentinels[:2]:
            sentinel.die()
        until(lambda: "NOQUORUM" in redis_line(servers), "no warning")
        assert redis_line(servers).startswith("warning ")
        servers.sentinels[2].ask("ACL", "SETUSER", "default", "resetpass", ">right")
        wrong = redis_line(servers, f"/{SERVICE}", f"/{SERVICE}?sentinel_password=wrong-secret")
        assert "A Sentinel rejects sentinel_password" in wrong
        assert "wrong-secret" not in wrong
        servers.sentinels[2].die()
        assert redis_line(servers).startswith(
            "failed   redis: No Sentinel of ORGCTX_REDIS_URL is reachable"
        )
