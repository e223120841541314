"""A Redis that answers PING but does not count is not ready, and everything names the reason."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from orgctx.stores.quota import CHARGE
from orgctx.stores.redis_client import REASONS
from tests.support import redis_servers
from tests.support.deployment import Deployment
from tests.support.processes import ROOT
from tests.support.redis_servers import Node

CONTEXT = "/api/v1/context"
USER = "service"
# What the service runs, for access control lists.
COMMANDS = sorted(
    {*re.findall(r"call\('(\w+)'", CHARGE)} | {"EVAL", "EVALSHA", "HGETALL", "INFO", "MGET"}
)
FILL = ("CONFIG", "SET", "maxmemory", 1)
# Commands after which Redis refuses to count, why, and what of its message the doctor quotes.
CASES: list[tuple[tuple[Any, ...], str, str]] = [
    (FILL, "out of memory", "maxmemory"),
    (("REPLICAOF", "127.0.0.1", 1), "read-only", "read only replica"),
    (("CONFIG", "SET", "min-replicas-to-write", 1), "rejects a command", "NOREPLICAS"),
    (("ACL", "SETUSER", USER, "-evalsha"), "no permission", "evalsha"),
    (("ACL", "SETUSER", USER, "-hincrby"), "rejects a command", "hincrby"),
    (("ACL", "SETUSER", USER, "resetkeys", "~other:*"), "no permission", "key"),
    (("ACL", "SETUSER", USER, "resetpass", ">another"), "wrong password", "password"),
]


@pytest.fixture
def node(tmp_path: Path) -> Iterator[Node]:
    """A server whose user may run only what the service runs."""
    node = Node(tmp_path / "redis", {"save": '""'})
    try:
        node.start()
        allowed = [f"+{command.lower()}" for command in COMMANDS]
        node.ask("ACL", "SETUSER", USER, "on", ">pw", "~orgctx:*", *allowed)
        yield node
    finally:
        node.die()


def on_redis(deployment: Deployment, node: Node) -> Deployment:
    return replace(deployment, redis_url=f"redis://{USER}:pw@127.0.0.1:{node.port}")


def readiness(client: FlaskClient) -> tuple[int, str]:
    """The status of /readyz, and what it says of Redis now."""
    client.application.extensions["readiness"]._value = None
    answer = client.get("/readyz")
    return answer.status_code, answer.json["checks"]["redis"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("command", "reason", "quoted"), CASES, ids=[case[2] for case in CASES])
def test_redis_that_refuses_charges_is_not_ready(
    acme: Deployment,
    key: str,
    node: Node,
    capfd: pytest.CaptureFixture[str],
    command: tuple[Any, ...],
    reason: str,
    quoted: str,
) -> None:
    deployment = on_redis(acme, node)
    with deployment.client(key) as client:
        assert readiness(client) == (200, "ok")
        assert client.get(CONTEXT).status_code == 200
        assert deployment.check("redis").startswith("ok ")
        assert all(0 < node.ask("TTL", name) <= 90 * 86_400 for name in node.ask("KEYS", "*"))
        assert node.ask("PING")
        node.ask(*command)
        node.ask("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        assert node.ask("PING")
        capfd.readouterr()
        assert client.get(CONTEXT).status_code == 503
        assert readiness(client) == (503, reason)
        lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
        check = deployment.check("redis")
    assert [line["status"] for line in lines] == [503, 503]
    assert all(cause.endswith(f": {reason}") for line in lines for cause in line["causes"])
    assert (check.startswith("failed "), quoted in check) == (True, True), check


@pytest.mark.thorough
def test_redis_that_hangs_is_named_in_time(acme: Deployment, node: Node) -> None:
    with on_redis(acme, node).app(request_timeout_seconds=3600) as app:
        assert readiness(app.test_client()) == (200, "ok")
        node.ask("CLIENT", "PAUSE", 3_600_000)
        assert readiness(app.test_client()) == (503, "no answer in time")


@pytest.mark.thorough
def test_cluster_is_ready_while_one_master_counts(acme: Deployment, tmp_path: Path) -> None:
    with ExitStack() as stack:
        servers = stack.enter_context(redis_servers.cluster(tmp_path / "cluster", replicas=False))
        deployment = replace(acme, redis_url=servers.url)
        client: Any = stack.enter_context(deployment.app()).test_client()
        for master in servers.masters:
            assert readiness(client) == (200, "ok")
            master.ask(*FILL)
            assert deployment.check("redis").startswith(("warning ", "failed "))
        assert readiness(client) == (503, "out of memory")
        assert "out of memory" in deployment.check("redis")


def test_runbook_explains_each_reason() -> None:
    runbook = (ROOT / "docs/operations/runbook.md").read_text("utf-8")
    section = runbook.partition("## OrgctxNotReady")[2].partition("\n## ")[0]
    assert [name for name in REASONS.values() if f"`{name}`" not in section] == []
