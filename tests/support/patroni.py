"""Run three nodes of PostgreSQL with Patroni, etcd and HAProxy, configured as in deploy/."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import orjson
import psycopg

from tests.docs.pages import ROOT
from tests.support.processes import free_port
from tests.support.programs import POSTGRESQL, descendants, need, unprivileged
from tests.support.waiting import PATIENCE_SECONDS, until

DEPLOY = ROOT / "deploy/patroni"
NAMES = ("db-1", "db-2", "db-3")
PATRONI = (sys.executable, "-m", "patroni")
# Patroni writes this password to files, which must not contain that of the test run.
PASSWORD = "of-the-nodes"


@dataclass
class Node:
    """One node: Patroni, and the PostgreSQL that it starts. directory: its data and log."""

    name: str
    directory: Path
    port: int = field(default_factory=free_port)
    api_port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    def environment(self, etcd: str) -> dict[str, str]:
        """The environment of Patroni, with the settings that differ between nodes."""
        local = {
            "NAME": self.name,
            "RESTAPI_LISTEN": f"127.0.0.1:{self.api_port}",
            "RESTAPI_CONNECT_ADDRESS": f"127.0.0.1:{self.api_port}",
            "POSTGRESQL_LISTEN": f"127.0.0.1:{self.port}",
            "POSTGRESQL_CONNECT_ADDRESS": f"127.0.0.1:{self.port}",
            "POSTGRESQL_DATA_DIR": str(self.directory / "data"),
            "POSTGRESQL_PGPASS": str(self.directory / "pgpass"),
            "ETCD3_HOSTS": etcd,
            "SUPERUSER_PASSWORD": PASSWORD,
            "REPLICATION_PASSWORD": PASSWORD,
            "REWIND_PASSWORD": PASSWORD,
        }
        return {**os.environ, **{f"PATRONI_{name}": value for name, value in local.items()}}

    def start(self, etcd: str) -> None:
        self.directory.mkdir(exist_ok=True)
        command = [*unprivileged(), *PATRONI, write_configuration(self.directory)]
        with (self.directory / "log").open("ab") as log:
            self.process = subprocess.Popen(
                command, env=self.environment(etcd), stdout=log, stderr=log
            )

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """Request a path of Patroni's API. Returns the JSON object, or None for another body.

        Raises:
            OSError: the API is unreachable or returns an error status.
        """
        url = f"http://127.0.0.1:{self.api_port}/{path}"
        request = Request(url, orjson.dumps(body) if body else None)
        with urlopen(request, timeout=PATIENCE_SECONDS) as answer:
            content: bytes = answer.read()
        return orjson.loads(content) if content[:1] == b"{" else None

    def die(self) -> None:
        """Kill Patroni and all processes of PostgreSQL, as if the machine lost power."""
        assert self.process is not None
        with suppress(FileNotFoundError):
            postmaster = int((self.directory / "data/postmaster.pid").read_text().split()[0])
            self.process.kill()
            for pid in (postmaster, *descendants(postmaster)):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """Stop Patroni gracefully; it stops PostgreSQL."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.die()


@dataclass(frozen=True)
class Cluster:
    """A cluster of nodes. url: connects to the leader through HAProxy."""

    nodes: tuple[Node, ...]
    etcd: str
    url: str

    @property
    def read_url(self) -> str:
        """A URL of all nodes, without HAProxy."""
        addresses = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        return f"postgresql://postgres:{PASSWORD}@{addresses}/postgres"

    def members(self) -> dict[str, str]:
        """Return the role of each running member, by name."""
        running = [node for node in self.nodes if node.process and node.process.poll() is None]
        members = running[0].ask("cluster")["members"]
        return {
            member["name"]: member["role"]
            for member in members
            if member["state"] in ("running", "streaming")
        }

    def node(self, role: str) -> Node | None:
        """Return the first node that has this role, or None."""
        names = [name for name, member_role in self.members().items() if member_role == role]
        return next((node for node in self.nodes if node.name in names), None)

    def is_connected(self) -> bool:
        """Return whether HAProxy connects to the leader 8 times in a row.

        After a change it may still connect to the former leader now and then.
        """
        return all(self._is_leader_connected() for _ in range(8))

    def _is_leader_connected(self) -> bool:
        with psycopg.connect(self.url) as connection:
            return connection.execute("SELECT pg_is_in_recovery()").fetchone() == (False,)

    def is_complete(self) -> bool:
        """Return whether there is a leader, a synchronous standby and an asynchronous replica."""
        return sorted(self.members().values()) == ["leader", "replica", "sync_standby"]


@contextmanager
def cluster(directory: Path) -> Iterator[Cluster]:
    """Start a cluster. Yields it when all nodes run and HAProxy connects to the leader."""
    need("etcd", "haproxy", "unshare", str(POSTGRESQL / "postgres"))
    with ExitStack() as stack:
        etcd = _start_etcd(stack, directory)
        nodes = tuple(Node(name, directory / name) for name in NAMES)
        for node in nodes:
            stack.callback(node.stop)
            node.start(etcd)
        port = _start_haproxy(stack, directory, nodes)
        url = f"postgresql://postgres:{PASSWORD}@127.0.0.1:{port}/postgres"
        started = Cluster(nodes, etcd, url)
        until(started.is_complete)
        until(started.is_connected)
        yield started


def write_configuration(directory: Path) -> str:
    """Write the example configuration, changed for a test. Returns its path.

    It uses neither TLS nor Unix sockets nor fsync, and listens on the loopback address.
    """
    text = (DEPLOY / "patroni.yml").read_text()
    for old, new in (
        ("hostssl", "host"),
        ("10.0.0.0/8", "127.0.0.0/8"),
        ("unix_socket_directories: /var/run/postgresql", 'unix_socket_directories: ""'),
        ("- data-checksums", "- data-checksums\n    - no-sync"),
        ('synchronous_commit: "on"', 'synchronous_commit: "on"\n        fsync: "off"'),
    ):
        assert old in text
        text = text.replace(old, new)
    path = directory / "patroni.yml"
    path.write_text(text)
    return str(path)


def _start_etcd(stack: ExitStack, directory: Path) -> str:
    client, peer = (f"127.0.0.1:{free_port()}" for _ in range(2))
    _start(stack, directory / "etcd.log", [
        "etcd", "--name=one", f"--data-dir={directory / 'etcd'}",
        f"--listen-client-urls=http://{client}", f"--advertise-client-urls=http://{client}",
        f"--listen-peer-urls=http://{peer}", f"--initial-advertise-peer-urls=http://{peer}",
        f"--initial-cluster=one=http://{peer}",
    ])  # fmt: skip
    until(lambda: urlopen(f"http://{client}/health", timeout=5).read())
    return client


def _start_haproxy(stack: ExitStack, directory: Path, nodes: tuple[Node, ...]) -> int:
    """Start HAProxy with the example configuration and the nodes' ports. Returns its port."""
    port = free_port()
    text = (DEPLOY / "haproxy.cfg").read_text().replace("127.0.0.1:5000", f"127.0.0.1:{port}")
    for number, node in enumerate(nodes, 11):
        address = f"127.0.0.1:{node.port} port {node.api_port}"
        text = text.replace(f"10.0.0.{number}:5432", address)
    path = directory / "haproxy.cfg"
    path.write_text(text)
    subprocess.run(["haproxy", "-c", "-q", "-f", path], check=True)
    _start(stack, directory / "haproxy.log", ["haproxy", "-db", "-f", str(path)])
    return port


def _start(stack: ExitStack, log: Path, command: list[str]) -> None:
    with log.open("wb") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file)
    stack.callback(process.wait)
    stack.callback(process.terminate)
