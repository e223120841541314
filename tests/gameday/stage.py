"""The parts of a fleet on one machine, and how each is killed and restarted."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.gameday.faults import Part
from tests.support.deployment import Deployment
from tests.support.processes import descendants, free_port, need
from tests.support.proxies import COMMANDS, write_example
from tests.support.redis_servers import Node, run_one
from tests.support.replication import Server, replicated
from tests.support.service import Host, Running
from tests.support.waiting import PATIENCE_SECONDS, until

HOSTS = 3


class Balancer:
    """nginx with the shipped configuration of a fleet."""

    def __init__(self, directory: Path, hosts: list[Host]) -> None:
        self.port = free_port()
        places = {f"10.0.0.{number}:8000": host.address for number, host in enumerate(hosts, 1)}
        self._path = write_example("fleet-nginx.conf", directory, places, self.port)
        self._log = directory / "nginx.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen([*COMMANDS["nginx"], str(self._path)], stderr=log)

    def die(self) -> None:
        process, self._process = self._process, None
        if process:
            for pid in descendants(process.pid):
                os.kill(pid, signal.SIGKILL)
            process.kill()
            process.wait(PATIENCE_SECONDS)


@dataclass(frozen=True)
class Stage:
    """deployment: the primary, for commands. balancer: the address of the clients."""

    deployment: Deployment
    hosts: list[Host]
    balancer: Balancer
    servers: tuple[Server, Server]
    redis: Node

    def is_ready(self) -> bool:
        """Whether every host is ready and the balancer answers."""
        try:
            return all(
                Running(port, None).get(path).status == 200  # type: ignore[arg-type]
                for path, port in (
                    ("/healthz", self.balancer.port),
                    *(("/readyz", host.port) for host in self.hosts),
                )
            )
        except OSError:
            return False

    def await_ready(self) -> None:
        until(self.is_ready, "the fleet is not ready")

    def parts(self) -> list[Part]:
        """Return each part once, with the seconds after its return in which requests may fail."""
        primary, replica = self.servers
        return [
            *(
                Part(f"host {number}", host.die, host.start, 5)
                for number, host in enumerate(self.hosts, 1)
            ),
            Part("nginx", self.balancer.die, self.balancer.start, 5),
            Part("PostgreSQL, primary", lambda: _crash(primary), _wait, 10),
            Part("PostgreSQL, replica", lambda: _crash(replica), _wait, 10),
            Part("Redis", self.redis.die, self.redis.start, 10),
        ]


@contextmanager
def stage(directory: Path) -> Iterator[Stage]:
    """Run an empty, migrated fleet."""
    need("nginx")
    with ExitStack() as stack:
        redis = stack.enter_context(run_one(directory / "redis"))
        (directory / "database").mkdir()
        servers = stack.enter_context(replicated(directory / "database", redis.url))
        primary, replica = servers
        deployment = Deployment(primary.url, redis.url)
        deployment.cli("migrate").done()
        settings = {"database_read_url": replica.url, "trusted_proxy_hops": 1}
        hosts = [Host(deployment, **settings) for _ in range(HOSTS)]
        for host in hosts:
            host.start()
            stack.callback(host.stop)
        balancer = Balancer(directory, hosts)
        stack.callback(balancer.die)
        balancer.start()
        fleet = Stage(deployment, hosts, balancer, servers, redis)
        fleet.await_ready()
        yield fleet


def _crash(server: Server) -> None:
    """Kill one process of PostgreSQL; the others end, and the server recovers from its WAL."""
    pids = server.execute("SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'")
    with suppress(ProcessLookupError):
        os.kill(pids[0][0], signal.SIGKILL)


def _wait() -> None:
    """Do nothing: the part restarts by itself."""
