"""Answers to callers when PostgreSQL or Redis refuses, drops or hangs."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep
from typing import Any

import pytest

from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.locks import locked

BUDGET = 0.7
# Far below any timeout that is not the request's own; machines are noisy.
LATE = BUDGET + 30
# What is refused is 503 and not 504, so the budget was not waited for.
AMPLE = {"request_timeout_seconds": 60}


@pytest.fixture
def key(own_acme: Deployment) -> str:
    return own_acme.issue_key(make.ACME, make.OWNER)


@pytest.fixture
def silent() -> Iterator[int]:
    """The port of a server that accepts and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def closed() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port


def ask(deployment: Deployment, key: str, **settings: Any) -> tuple[Any, float]:
    """One request with a small time budget; the response and how long it took."""
    with deployment.app(**{"request_timeout_seconds": BUDGET} | settings) as app:
        began = monotonic()
        headers = {"Authorization": f"Bearer {key}"}
        response = app.test_client().get("/api/v1/assets", headers=headers)
        return response, monotonic() - began


def test_timeout_cancels_the_statement_on_the_server(own_acme: Deployment, key: str) -> None:
    with locked(own_acme):
        response, seconds = ask(own_acme, key)
        assert response.status_code == 504
        assert seconds < LATE
        until = monotonic() + 60
        while own_acme.waiting():
            assert monotonic() < until, "the statement still waits on the server"
            sleep(0.05)


def test_pool_replaces_broken_connections_within_a_request(own_acme: Deployment, key: str) -> None:
    headers = {"Authorization": f"Bearer {key}"}
    with own_acme.app() as app, ThreadPoolExecutor(4) as pool:

        def get(_: int) -> int:
            return app.test_client().get("/api/v1/assets", headers=headers).status_code

        for _ in range(3):
            assert set(pool.map(get, range(16))) == {200}
            own_acme.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        assert set(pool.map(get, range(16))) == {200}


def test_pool_wait_times_out_with_504(own_acme: Deployment, key: str) -> None:
    headers = {"Authorization": f"Bearer {key}"}
    with (
        own_acme.app(database_pool_size=1, request_timeout_seconds=BUDGET) as app,
        locked(own_acme),
        ThreadPoolExecutor(3) as pool,
    ):
        began = monotonic()
        results = pool.map(
            lambda _: app.test_client().get("/api/v1/assets", headers=headers).status_code,
            range(3),
        )
        assert set(results) == {504}
        assert monotonic() - began < LATE


def test_readyz_reports_missing_migrations(servers: Any, redis_url: str) -> None:
    from tests.support.deployment import new_database

    with new_database(servers.database_url) as url, Deployment(url, redis_url).app() as app:
        client = app.test_client()
        ready = client.get("/readyz")
        assert ready.status_code == 503
        assert "orgctx migrate" in ready.json["checks"]["database"]
        assert client.get("/healthz").status_code == 200


def test_readyz_names_unreachable_stores(own_acme: Deployment, closed: int) -> None:
    with own_acme.app() as app:
        assert app.test_client().get("/readyz").json == {
            "status": "ready",
            "checks": {"database": "ok", "redis": "ok"},
        }
    with own_acme.app(redis_url=f"redis://127.0.0.1:{closed}") as app:
        response = app.test_client().get("/readyz")
        assert response.status_code == 503
        assert response.json["checks"] == {"database": "ok", "redis": "unreachable"}
    with own_acme.app(database_url=f"postgresql://127.0.0.1:{closed}/x") as app:
        response = app.test_client().get("/readyz")
        assert response.json["checks"]["database"] == "unreachable"
        assert response.json["checks"]["redis"] == "ok"


def test_logs_contain_no_connection_string(
    own_acme: Deployment, key: str, closed: int, capfd: pytest.CaptureFixture[str]
) -> None:
    secret = "s3cr3t-in-a-dsn"
    ask(own_acme, key, database_url=f"postgresql://u:{secret}@127.0.0.1:{closed}/none")
    ask(own_acme, key, redis_url=f"redis://:{secret}@127.0.0.1:{closed}")
    logged = "".join(capfd.readouterr())
    assert "service_unavailable" in logged
    assert secret not in logged
    assert key not in logged
