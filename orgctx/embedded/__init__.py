"""Run PostgreSQL and a Redis-compatible server from wheels, for the demo and the tests.

They need no installation and no network, and run as root or as an ordinary user. Only the
command line and the tests may import this package; it imports nothing else of orgctx.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from orgctx.embedded import postgres, valkey
from orgctx.embedded.account import unprivileged
from orgctx.embedded.errors import EmbeddedError
from orgctx.embedded.folders import Home, sockets
from orgctx.embedded.locks import lock_for_servers, own

__all__ = ["EmbeddedError", "Servers", "servers"]


@dataclass(frozen=True)
class Servers:
    """URLs of the running servers, for libpq and redis-py."""

    database_url: str
    redis_url: str


@contextmanager
def servers(
    data_dir: Path, *, durable: bool = True, database_url: str = "", redis_url: str = ""
) -> Iterator[Servers]:
    """Run both servers while the block runs, or only the one whose URL is not given.

    The database is UTF-8; it and its superuser are named orgctx. It stays in `data_dir` for the
    next run; Redis starts empty each time. If missing, `data_dir` is created so that only the
    caller can access it. `durable=False` is faster and may lose the database in a power cut.

    The calling thread must outlive the block, because the servers die with it. Raises
    EmbeddedError if a server does not start or another process owns `data_dir`.
    """
    owner = os.getpid()
    with ExitStack() as stack:
        try:
            given = Servers(database_url, redis_url)
            running = _start(stack, data_dir.resolve(), given, durable=durable)
        except OSError as error:
            raise EmbeddedError(
                f"cannot run servers in {data_dir}: {error}; choose another data directory, or "
                "set ORGCTX_DATABASE_URL and ORGCTX_REDIS_URL to servers of your own"
            ) from error
        try:
            yield running
        finally:
            if os.getpid() != owner:  # a forked worker must not stop the servers
                stack.pop_all()


def _start(stack: ExitStack, data_dir: Path, given: Servers, *, durable: bool) -> Servers:
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    own(stack, data_dir)
    with ExitStack() as starting:
        lock = lock_for_servers(starting, data_dir)
        home = Home(data_dir, sockets(stack, data_dir), unprivileged(), lock)
        return Servers(
            given.database_url or postgres.start(stack, home, durable=durable),
            given.redis_url or valkey.start(stack, home),
        )
