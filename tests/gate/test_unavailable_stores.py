"""Responses while PostgreSQL is slow or disconnects; tests/reliability tests failing stores."""

from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any

import pytest
from psycopg.conninfo import conninfo_to_dict

from orgctx.http import health
from tests.support import citus, crawl
from tests.support.deployment import Deployment, locked, new_database, new_login

BUDGET = 0.7
# Allows for a busy machine; other timeouts are longer.
LATE = BUDGET + 30


@pytest.fixture(autouse=True)
def examined_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "READY_SECONDS", 0)


def test_pool_replaces_broken_connections_within_a_request(
    own_acme: Deployment, own_key: str
) -> None:
    with own_acme.app() as app, ThreadPoolExecutor(4) as pool:

        def get(_: int) -> int:
            return crawl.rest(app.test_client(), own_key, "/api/v1/assets").status_code

        for _ in range(3):
            assert set(pool.map(get, range(16))) == {200}
            own_acme.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        assert set(pool.map(get, range(16))) == {200}


def test_pool_wait_times_out_with_504(own_acme: Deployment, own_key: str) -> None:
    with (
        own_acme.app(database_pool_size=1, request_timeout_seconds=BUDGET) as app,
        locked(own_acme),
        ThreadPoolExecutor(3) as pool,
    ):
        began = monotonic()
        results = pool.map(
            lambda _: crawl.rest(app.test_client(), own_key, "/api/v1/assets").status_code, range(3)
        )
        assert set(results) == {504}
        assert monotonic() - began < LATE


def test_readyz_reports_missing_migrations(servers: Any, redis_url: str) -> None:
    """[9.2]"""
    with new_database(servers.database_url) as url, Deployment(url, redis_url).client() as client:
        ready = client.get("/readyz")
        assert ready.status_code == 503
        assert "orgctx migrate" in ready.json["checks"]["database"]
        assert client.get("/healthz").status_code == 200


@pytest.mark.thorough
def test_readyz_connects_as_the_login(own_acme: Deployment, own_key: str) -> None:
    """[9.2] Open connections outlive the login, and new ones fail."""
    with (
        new_login(own_acme, "GRANT orgctx_reader TO {}") as url,
        own_acme.client(own_key, database_url=url) as client,
    ):
        login = conninfo_to_dict(url)["user"]
        for state, status, check in (("LOGIN", 200, "ok"), ("NOLOGIN", 503, "login not allowed")):
            own_acme.execute(f"ALTER ROLE {login} {state}")
            ready = client.get("/readyz")
            assert (ready.status_code, ready.json["checks"]["database"]) == (status, check)
            assert client.get("/api/v1/assets").status_code == 200


@citus.impossible("its own workers answer")
def test_readyz_reports_that_the_workers_of_citus_cannot_be_listed(own_acme: Deployment) -> None:
    """[9.2] The report, and not the envelope of an error."""
    with own_acme.app() as app:
        client = app.test_client()
        assert client.get("/readyz").status_code == 200
        # As if it were a coordinator, whose list of workers is not there.
        app.extensions["orgctx"].pool.connections.has_shards = True
        ready = client.get("/readyz")
    assert ready.status_code == 503
    assert ready.json["status"] == "unready"
    assert ready.json["checks"]["database"] != "ok"
    assert ready.json["checks"]["redis"] == "ok"
