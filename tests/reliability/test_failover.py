"""A database server dies and another takes over, without a restart or a wrong response."""

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest
from psycopg.conninfo import make_conninfo

from tests.reliability.test_faults import ASSETS, Broken
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.proxy import Proxy, database_address
from tests.support.replication import Server, either, replicated
from tests.support.service import NAMESPACE, serve
from tests.support.traffic import revoke, traffic
from tests.support.waiting import until

pytestmark = pytest.mark.thorough

BUDGET = 2.0
NAME = "orgctx-primary.example"
REFUSED = {503, 504}


@pytest.fixture
def pair(tmp_path: Path, redis_url: str) -> Iterator[tuple[Server, Server]]:
    with replicated(tmp_path, redis_url) as (primary, replica):
        deployment = Deployment(primary.url, redis_url)
        deployment.cli("migrate").done()
        deployment.load_acme()
        yield primary, replica


def test_promoted_replica_takes_over(pair: tuple[Server, Server], redis_url: str) -> None:
    """With `any`, the replica serves at once; with `primary`, it serves after its promotion."""
    primary, replica = pair
    admin = Deployment(primary.url, redis_url)
    key, revoked, late = (admin.issue_key(make.ACME, make.OWNER) for _ in range(3))
    with ExitStack() as stack:
        reading, strict = (
            Broken(stack.enter_context(serve(target, request_timeout_seconds=BUDGET)), {}, key)
            for attributes in ("any", "primary")
            for url in [either(primary.url, replica.url, attributes)]
            for target in [replace(admin, database_url=url)]
        )
        workers = reading.running.workers() | strict.running.workers()
        revoke(admin, revoked)
        with traffic(reading.running, ASSETS, key, revoked) as seen:
            began = monotonic()
            primary.die()
            reading.recover()
        assert seen.statuses() <= {200, *REFUSED}
        assert {answer.status for answer in strict.at_once()} <= REFUSED
        replica.promote()
        promoted = strict.recover()
        print(f"replica: {seen.figures(began)}; promoted in {promoted:.2f} s")
        revoke(Deployment(replica.url, redis_url), late)
        for service in (reading, strict):
            assert service.running.get(ASSETS, late).status == 401
            service.recover()
        assert reading.running.workers() | strict.running.workers() == workers


@pytest.mark.system
def test_service_follows_a_name_that_moves(
    pair: tuple[Server, Server], redis_url: str, tmp_path: Path
) -> None:
    """While the name does not resolve, open connections still serve."""
    if subprocess.run([*NAMESPACE, "true"]).returncode:
        pytest.skip("this machine does not allow mount namespaces")
    primary, replica = pair
    admin = Deployment(primary.url, redis_url)
    key, revoked = (admin.issue_key(make.ACME, make.OWNER) for _ in range(2))
    revoke(admin, revoked)
    hosts = tmp_path / "hosts"
    hosts.write_text(f"127.0.0.1 {NAME}\n")
    with ExitStack() as stack:
        first = stack.enter_context(Proxy(database_address(primary.url)))
        stack.enter_context(Proxy(database_address(replica.url), "127.0.0.2", first.port))
        url = make_conninfo(primary.url, host=NAME, port=first.port)
        target = replace(admin, database_url=url)
        running = stack.enter_context(serve(target, hosts=hosts, request_timeout_seconds=BUDGET))
        service = Broken(running, {}, key)
        with traffic(running, ASSETS, key, revoked) as seen:
            began = monotonic()
            hosts.write_text("")
            until(lambda: len(seen.answers) > 100)
            print(f"no name: {seen.figures(began)}")
            began = monotonic()
            primary.die()
            replica.promote()
            until(lambda: seen.statuses() & REFUSED)
            hosts.write_text(f"127.0.0.2 {NAME}\n")
            moved = monotonic()
            service.recover()
        assert seen.statuses() <= {200, *REFUSED}
        print(f"moved after {moved - began:.2f} s: {seen.figures(began)}")
