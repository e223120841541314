"""orgctx doctor: one line for each check, and exit status 1 if one fails."""

from __future__ import annotations

import re
import socket
import ssl
from contextlib import suppress
from dataclasses import astuple
from pathlib import Path
from threading import Thread
from time import time

import pytest
from psycopg.conninfo import make_conninfo
from redis import Redis

from orgctx.embedded import Servers
from tests.cli.certificate import self_signed
from tests.support import citus
from tests.support.deployment import Deployment, Result, new_database
from tests.support.proxy import (
    Proxy,
    database_address,
    database_through,
    redis_address,
    redis_through,
)


def statuses(result: Result) -> dict[str, str]:
    lines = (line.split(":", 1)[0].split(None, 1) for line in result.stdout.splitlines())
    return {name: status for status, name in lines}


@citus.impossible("the service's login is the reader")
def test_one_login_works_and_two_are_better(deployment: Deployment) -> None:
    result = deployment.cli("doctor")
    assert result.exit_code == 0
    assert statuses(result) == {
        "configuration": "ok",
        "database": "ok",
        "admin database": "ok",
        "admin rights": "ok",
        "migrations": "ok",
        "statements": "ok",
        "role": "warning",
        "connections": "ok",
        "redis": "ok",
        "libraries": "ok",
    }
    assert "a login of its own in ORGCTX_DATABASE_URL is safer" in result.stdout


def test_without_redis(deployment: Deployment) -> None:
    result = deployment.cli("doctor", "--json", ORGCTX_REDIS_URL="redis://:secret@127.0.0.1:1")
    assert result.exit_code == 1
    assert '"name": "redis",\n      "status": "failed"' in result.stdout
    assert result.stderr == "Error: failed: redis; see the lines of these checks\n"
    assert "secret" not in result.stdout


def test_without_database(deployment: Deployment) -> None:
    dead = "postgresql://someone:secret@127.0.0.1:1/orgctx"
    result = deployment.cli("doctor", ORGCTX_DATABASE_URL=dead)
    assert result.exit_code == 1
    assert statuses(result)["database"] == "failed"
    assert statuses(result)["migrations"] == "failed"
    assert statuses(result)["admin database"] == "ok"
    assert "secret" not in result.stdout + result.stderr
    assert len(statuses(result)) == 10 + 1  # and a line to paste


def test_the_replicas_are_checked_where_there_are_any(deployment: Deployment) -> None:
    dead = "postgresql://127.0.0.1:1/orgctx"
    result = deployment.cli("doctor", ORGCTX_DATABASE_READ_URL=dead)
    assert result.exit_code == 1
    assert "failed   replica 127.0.0.1:1: " in result.stdout


def test_without_migrations(servers: Servers) -> None:
    with new_database(servers.database_url) as url:
        result = Deployment(url, servers.redis_url).cli("doctor")
    assert result.exit_code == 1
    assert statuses(result)["migrations"] == "failed"
    assert "failed   statements: needs the schema: run `orgctx migrate`\n" in result.stdout
    assert "does not answer" not in result.stdout


def test_a_number_of_workers_that_is_none(deployment: Deployment) -> None:
    for number in ("many", "0", ""):
        result = deployment.cli("doctor", WEB_CONCURRENCY=number)
        assert result.exit_code == 1
        assert "failed   connections: WEB_CONCURRENCY must be an integer" in result.stdout


def test_a_migration_that_is_missing(deployment: Deployment) -> None:
    deployment.execute("DELETE FROM _yoyo_migration WHERE migration_id LIKE '005%'")
    result = deployment.cli("doctor")
    assert result.exit_code == 1
    assert "run `orgctx migrate`" in result.stdout


def test_a_reader_that_may_more_than_read(deployment: Deployment) -> None:
    deployment.execute("GRANT DELETE ON sources TO orgctx_reader")
    deployment.execute("GRANT SELECT ON api_keys TO orgctx_reader")
    result = deployment.cli("doctor")
    assert result.exit_code == 1
    assert "orgctx_reader may SELECT on api_keys, DELETE on sources" in result.stdout


def test_without_configuration(deployment: Deployment) -> None:
    result = deployment.cli("doctor", ORGCTX_REDIS_URL=None, ORGCTX_LIMIT_KEY="many")
    assert result.exit_code == 1
    assert statuses(result) == {"configuration": "failed"}
    assert "ORGCTX_REDIS_URL" in result.stdout
    assert "ORGCTX_LIMIT_KEY" in result.stdout


def test_a_login_that_may_not_read(deployment: Deployment, servers: Servers) -> None:
    deployment.execute("CREATE ROLE orgctx_test_bystander LOGIN")
    try:
        url = make_conninfo(deployment.database_url, user="orgctx_test_bystander")
        result = Deployment(url, servers.redis_url, deployment.database_url).cli("doctor")
    finally:
        deployment.execute("DROP ROLE orgctx_test_bystander")
    assert result.exit_code == 1
    assert statuses(result)["role"] == "failed"


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-ttl", "volatile-random"])
def test_a_redis_that_forgets_counters(deployment: Deployment, policy: str) -> None:
    with Redis.from_url(deployment.redis_url) as redis:
        redis.config_set("maxmemory-policy", policy)
        try:
            result = deployment.cli("doctor")
        finally:
            redis.config_set("maxmemory-policy", "noeviction")
    assert result.exit_code == 0
    assert statuses(result)["redis"] == "warning"
    assert f"maxmemory-policy is {policy}" in result.stdout


@pytest.mark.parametrize("empty", ["", " "])
def test_an_empty_setting_is_a_fault_of_the_configuration(
    deployment: Deployment, empty: str
) -> None:
    for name in ("ORGCTX_DATABASE_URL", "ORGCTX_REDIS_URL"):
        result = deployment.cli("doctor", **{name: empty})
        assert result.exit_code == 1
        assert statuses(result) == {"configuration": "failed"}
        assert name in result.stdout


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("ORGCTX_REDIS_URL", "redis://:hunter/secret@127.0.0.1:6379/0"),
        ("ORGCTX_REDIS_URL", "redis://:hunter#secret@127.0.0.1:6379/0"),
        ("ORGCTX_REDIS_URL", "redis+cluster://user:hunter/secret@127.0.0.1:6379"),
        ("ORGCTX_REDIS_URL", "rediss://:hunter[secret@127.0.0.1:6379"),
        ("ORGCTX_DATABASE_URL", "postgresql://user:hunter/secret@127.0.0.1:5432/orgctx"),
        ("ORGCTX_DATABASE_URL", "postgresql://user:12/secret@127.0.0.1:5432/orgctx"),
        ("ORGCTX_ADMIN_DATABASE_URL", "postgresql://user:hunter/secret@127.0.0.1/orgctx"),
        ("ORGCTX_DATABASE_READ_URL", "postgresql://user:hunter/secret@127.0.0.1/orgctx"),
        ("ORGCTX_BASE_URL", "https://user:hunter/secret@context.example"),
        ("ORGCTX_BASE_URL", "https://context.example:hunter"),
        ("ORGCTX_MCP_ALLOWED_ORIGINS", "https://a.example,https://b.example:hunter"),
    ],
)
def test_a_url_that_cannot_be_read_is_not_quoted(
    deployment: Deployment, name: str, url: str
) -> None:
    for command in (("doctor",), ("migrate",), ("organizations", "list"), ("serve",)):
        result = deployment.cli(*command, **{name: url})
        assert result.exit_code == 1
        said = result.stdout + result.stderr
        assert f"{name}: cannot be read as a URL" in said
        assert not {word for word in ("hunter", "secret") if word in said}


def warning(result: Result, name: str) -> str:
    """The line of the check that warned."""
    assert result.exit_code == 0, result.stdout
    assert statuses(result)[name] == "warning", result.stdout
    return next(line for line in result.stdout.splitlines() if f" {name}: " in line)


def test_a_name_that_is_no_setting(deployment: Deployment) -> None:
    given = {"ORGCTX_LIMIT_KEYS": "5", "ORGCTX_API_KEY": "what connect tells clients to set"}
    line = warning(deployment.cli("doctor", **given), "configuration")
    assert line == (
        "warning  configuration: ORGCTX_LIMIT_KEYS is no setting; did you mean ORGCTX_LIMIT_KEY?"
    )


def test_a_wrong_password_is_no_silence(deployment: Deployment, servers: Servers) -> None:
    address = redis_address(servers.redis_url)
    url = f"unix://:wrong@{address}" if isinstance(address, str) else f"redis://:wrong@{address[0]}"
    result = deployment.cli("doctor", ORGCTX_REDIS_URL=url)
    assert result.exit_code == 1
    assert "refuses the user or the password of ORGCTX_REDIS_URL" in result.stdout
    assert "wrong" not in result.stdout
    url = f"{servers.redis_url.partition('?')[0]}?db=99"
    answer = deployment.cli("doctor", ORGCTX_REDIS_URL=url).stdout
    assert "failed   redis: it answers, but refuses (DB index is out of range)" in answer


@pytest.mark.parametrize("ahead_seconds", [-600, 600])
def test_clocks_that_differ(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch, ahead_seconds: float
) -> None:
    monkeypatch.setattr("orgctx.cli.database.migrations.time", lambda: time() + ahead_seconds)
    line = warning(deployment.cli("doctor"), "database")
    # The server answers a little later than it was asked.
    found = re.search(r"(\d+) s apart: .* synchronize both", line)
    assert found, line
    assert 540 < int(found[1]) < 660


def test_connections_that_are_not_encrypted(deployment: Deployment) -> None:
    """The client cannot know that the address does not leave this machine."""
    with (
        Proxy(database_address(deployment.database_url)) as database,
        Proxy(redis_address(deployment.redis_url)) as redis,
    ):
        near = Deployment(
            database_through(database, deployment.database_url),
            redis_through(redis, deployment.redis_url),
            database_through(database, deployment.admin_url),
        )
        result = near.cli("doctor")
        assert statuses(result)["database"] == statuses(result)["redis"] == "ok"
        far = Deployment(*(url.replace("127.0.0.1", "0.0.0.0") for url in astuple(near)))
        result = far.cli("doctor")
    assert "add sslmode=verify-full" in warning(result, "database")
    assert "ORGCTX_DATABASE_URL" in warning(result, "database")
    assert "add sslmode=verify-full" in warning(result, "admin database")
    assert "use rediss in ORGCTX_REDIS_URL" in warning(result, "redis")


def test_more_connections_than_there_is_room(deployment: Deployment) -> None:
    result = deployment.cli("doctor", ORGCTX_DATABASE_POOL_SIZE="80", WEB_CONCURRENCY="40")
    assert "may open 3200 connections" in warning(result, "connections")


def test_an_admin_who_may_not_migrate(deployment: Deployment, servers: Servers) -> None:
    deployment.execute("CREATE ROLE orgctx_test_guest LOGIN")
    try:
        guest = make_conninfo(deployment.database_url, user="orgctx_test_guest")
        result = Deployment(deployment.database_url, servers.redis_url, guest).cli("doctor")
    finally:
        deployment.execute("DROP ROLE orgctx_test_guest")
    assert result.exit_code == 1
    assert statuses(result)["admin rights"] == "failed"
    assert "ALTER TABLE organizations OWNER TO orgctx_test_guest;" in result.stdout


def test_a_base_url_that_nobody_answers(deployment: Deployment) -> None:
    result = deployment.cli("doctor", ORGCTX_BASE_URL="https://127.0.0.1:1")
    assert "cannot be reached from here" in warning(result, "certificate")


def test_a_certificate_that_nobody_trusts(deployment: Deployment, tmp_path: Path) -> None:
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    self_signed(certificate, key)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=greet, args=(context, listener))
        thread.start()
        result = deployment.cli(
            "doctor", ORGCTX_BASE_URL=f"https://127.0.0.1:{listener.getsockname()[1]}"
        )
        thread.join()
    assert "self-signed certificate" in warning(result, "certificate")


def greet(context: ssl.SSLContext, listener: socket.socket) -> None:
    """Begin a TLS handshake that the client gives up."""
    connection, _ = listener.accept()
    with suppress(OSError), context.wrap_socket(connection, server_side=True) as secure:
        secure.recv(1)
