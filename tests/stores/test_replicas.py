"""Read replicas serve in turn and show no data that was withdrawn on the primary.

The tests make a replica lag by pausing its replay.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from flask import Flask
from psycopg.conninfo import make_conninfo

from orgctx.stores.deadline import Deadline
from orgctx.stores.replicas import OK, UNREACHABLE
from tests.mcp.test_admission import PING, post_late
from tests.support import crawl
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.proxy import (
    FORWARD,
    HALF_OPEN,
    REFUSE,
    Proxy,
    database_address,
    database_through,
)
from tests.support.replication import Server, all_of, streamed
from tests.support.traffic import revoke
from tests.support.waiting import until

pytestmark = pytest.mark.thorough

OTHER = make.uuid("another organization")
READS = ("/assets", "/knowledge", "/search?limit=50", f"/knowledge/{make.knowledge_id()}", "/token")


@dataclass(frozen=True)
class Fleet:
    """A primary with data and two replicas; proxies: in front of the replicas."""

    primary: Server
    replicas: tuple[Server, ...]
    proxies: tuple[Proxy, ...]
    deployment: Deployment
    key: str
    others_key: str

    @property
    def read_url(self) -> str:
        pairs = zip(self.proxies, self.replicas, strict=True)
        return all_of([database_through(proxy, replica.url) for proxy, replica in pairs])

    @contextmanager
    def app(self, **settings: Any) -> Iterator[Flask]:
        """The service, once both replicas are used."""
        with self.deployment.app(**{"database_read_url": self.read_url, **settings}) as app:
            until(lambda: states(app) == [OK, OK])
            yield app

    def pause(self) -> None:
        for replica in self.replicas:
            replica.execute("SELECT pg_wal_replay_pause()")
            until(partial(is_paused, replica))

    def resume(self) -> None:
        """Resume the replay and wait until the replicas have everything."""
        (position,) = self.primary.execute("SELECT pg_current_wal_flush_lsn()")[0]
        for replica in self.replicas:
            replica.execute("SELECT pg_wal_replay_resume()")
            until(partial(has, replica, position))


def is_paused(replica: Server) -> bool:
    return replica.execute("SELECT pg_get_wal_replay_pause_state()") == [("paused",)]


def has(replica: Server, position: str) -> bool:
    return replica.execute(f"SELECT pg_last_wal_replay_lsn() >= '{position}'") == [(True,)]


def states(app: Flask) -> list[str]:
    states: list[str] = app.test_client().get("/readyz").json["replicas"]
    return states


def get(app: Flask, path: str, key: str) -> Any:
    return crawl.rest(app.test_client(), key, f"/api/v1{path}")


def known(app: Flask, path: str, key: str) -> set[str]:
    """The ids that a list shows."""
    data = get(app, path, key).json["data"]
    return {item["id"] for item in (data["items"] if isinstance(data, dict) else data)}


def without_time(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return row[:-1]


@contextmanager
def served(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[int]]:
    """Count the requests that each replica served, in the order of the setting."""
    counted: Counter[int] = Counter()
    service = app.extensions["orgctx"]
    with monkeypatch.context() as patch:
        for place, replica in enumerate(service.replicas.all):

            def query_all(
                statements: Any,
                *arguments: Any,
                place: int = place,
                query_all: Any = replica.pool.query_all,
            ) -> Any:
                answer = query_all(statements, *arguments)
                if statements[0][0] == "gate/find_key":
                    (current,) = service.pool.query_all(statements[:1], Deadline(10))
                    # All columns but the time.
                    counted[place] += list(map(without_time, answer[0].rows)) == list(
                        map(without_time, current.rows)
                    )
                return answer

            patch.setattr(replica.pool, "query_all", query_all)
        yield counted


@pytest.fixture(scope="module")
def module_fleet(tmp_path_factory: pytest.TempPathFactory, servers: Any) -> Iterator[Fleet]:
    directory = tmp_path_factory.mktemp("streamed")
    with ExitStack() as stack:
        primary, *replicas = stack.enter_context(streamed(directory, servers.redis_url, 2))
        deployment = Deployment(primary.url, servers.redis_url)
        deployment.cli("migrate").done()
        keys = []
        for organization in (make.ACME, OTHER):
            deployment.load(make.everything(organization))
            deployment.approve(organization, make.OWNER)
            keys.append(deployment.issue_key(organization, make.OWNER))
        proxies = [
            stack.enter_context(Proxy(database_address(replica.url))) for replica in replicas
        ]
        yield Fleet(primary, tuple(replicas), tuple(proxies), deployment, *keys)


@pytest.fixture
def fleet(module_fleet: Fleet) -> Iterator[Fleet]:
    module_fleet.resume()
    yield module_fleet
    module_fleet.resume()


def test_replicas_serve_in_turn_what_the_primary_would(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    with fleet.app() as app, fleet.deployment.app() as plain, served(app, monkeypatch) as counted:
        for path in READS:
            for _ in range(2):
                answer, expected = get(app, path, fleet.key), get(plain, path, fleet.key)
                assert (answer.status_code, answer.json) == (200, expected.json), path
                assert answer.headers["ETag"] == expected.headers["ETag"]
    assert counted == {0: len(READS), 1: len(READS)}


def test_decisions_hold_while_replicas_lag(fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replicas still serve organizations that the decisions do not concern."""
    admin = fleet.deployment
    revoked = admin.issue_key(make.ACME, make.OWNER)
    fleet.resume()
    document = make.knowledge_id()
    with fleet.app() as app:
        assert document in known(app, "/knowledge", fleet.key) & known(
            app, "/search?limit=50", fleet.key
        )
        assert get(app, "/assets", revoked).status_code == 200
        fleet.pause()
        late = admin.issue_key(make.ACME, make.OWNER)
        assert get(app, "/assets", late).status_code == 200
        revoke(admin, revoked)
        assert get(app, "/assets", revoked).status_code == 401
        assert post_late(app.test_client(), late, PING, lambda: revoke(admin, late)) == 401
        admin.cli("knowledge", "suppress", *make.WHO, document).done()
        admin.cli("sources", "withdraw", *make.WHO, make.KIND_SOURCES["assets"]).done()
        assert not fleet.replicas[0].execute("SELECT FROM knowledge_suppressions")
        with served(app, monkeypatch) as counted:
            assert document not in known(app, "/knowledge", fleet.key)
            assert document not in known(app, "/search?limit=50", fleet.key)
            assert get(app, f"/knowledge/{document}", fleet.key).status_code == 404
            assert get(app, "/assets", fleet.key).json["data"] == []
            assert not +counted
            assert get(app, "/assets", fleet.others_key).json["data"]
            assert get(app, "/knowledge", fleet.others_key).json["data"]
            assert counted.total() == 2
    admin.approve(make.ACME, make.OWNER, make.KIND_SOURCES["assets"])
    admin.cli("knowledge", "restore", *make.WHO, document).done()


def test_lagging_replica_shows_no_quote_of_an_erased_person(fleet: Fleet) -> None:
    """Nor any other former data: each change of them has a new version."""
    author = make.mention()["data"]["author"]
    quoted = {"author": author, "text": "a quote", "url": "https://x.com/a/1"}
    other = make.author("other", username="other")
    fleet.deployment.load([make.mention("quoting", author=other, quoted=quoted)])
    fleet.resume()
    with fleet.app() as app:
        assert "a quote" in get(app, "/x/mentions", fleet.key).text
        fleet.pause()
        erase = ("people", "erase", *make.WHO, "--yes", f"x:{author['id']}")
        fleet.deployment.cli(*erase).done()
        assert "a quote" not in get(app, "/x/mentions", fleet.key).text
    fleet.deployment.load([make.mention()])


@pytest.mark.parametrize("fault", [REFUSE, pytest.param(HALF_OPEN, marks=pytest.mark.system)])
def test_primary_serves_while_replicas_are_unreachable(fleet: Fleet, fault: str) -> None:
    with fleet.app(request_timeout_seconds=8) as app:
        assert get(app, "/assets", fleet.key).status_code == 200
        try:
            for place, proxy in enumerate(fleet.proxies):
                proxy.set(fault)
                assert get(app, "/assets", fleet.key).status_code == 200
                until(lambda: states(app).count(UNREACHABLE) == place + 1)  # noqa: B023
                assert get(app, "/assets", fleet.key).status_code == 200
        finally:
            for proxy in fleet.proxies:
                proxy.set(FORWARD)
        until(lambda: states(app) == [OK, OK])


def test_only_replicas_of_the_primary_serve(
    fleet: Fleet, acme: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unrelated server with the same keys is not used; the primary is, if it is listed."""
    itself = make_conninfo(fleet.primary.url, application_name="reading")
    others = [
        make_conninfo(node.url, dbname="template1") for node in (fleet.primary, *fleet.replicas)
    ]
    for url, state, count in (
        (acme.database_url, OK, 0),
        (itself, OK, 1),
        (all_of(others), UNREACHABLE, 0),
    ):
        with (
            fleet.deployment.app(database_read_url=url) as app,
            served(app, monkeypatch) as counted,
        ):
            assert set(states(app)) == {state}
            assert get(app, "/assets", fleet.key).json["data"]
            assert counted.total() == count


def test_doctor_checks_each_replica(fleet: Fleet) -> None:
    def lines(url: str) -> list[str]:
        result = fleet.deployment.cli("doctor", ORGCTX_DATABASE_READ_URL=url)
        return [line for line in result.stdout.splitlines() if " replica " in line]

    first, second = lines(fleet.read_url)
    for line in (first, second):
        assert line.startswith("ok")
        assert "PostgreSQL" in line
    (other,) = lines(make_conninfo(fleet.primary.url, dbname="template1"))
    assert other.startswith("failed")
