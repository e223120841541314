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
from orgctx.embedded.account import EmbeddedError, unprivileged
from orgctx.embedded.folders import Home, create_socket_directory
from orgctx.embedded.locks import lock_for_owner, lock_for_servers

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
    """Run the servers in a `with` block, except those whose URL is passed.

    The database is UTF-8; the database and its superuser are named orgctx. Its data remains in
    `data_dir` for the next run; Redis is empty at each start. The calling thread must outlive the
    block, because the servers die with it.

    Args:
        data_dir: created if missing, accessible only by the caller.
        durable: False is faster, but may lose the database in a power failure.

    Raises:
        EmbeddedError: a server does not start, or another process uses `data_dir`.
    """
    owner = os.getpid()
    with ExitStack() as stack:
        try:
            external = Servers(database_url, redis_url)
            running = _start(stack, data_dir.resolve(), external, durable=durable)
        except OSError as error:
            raise EmbeddedError(
                f"Cannot run servers in {data_dir}: {error}. Choose another data directory, or set "
                "ORGCTX_DATABASE_URL and ORGCTX_REDIS_URL to your own servers."
            ) from error
        try:
            yield running
        finally:
            if os.getpid() != owner:  # a forked worker must not stop the servers
                stack.pop_all()


def _start(stack: ExitStack, data_dir: Path, external: Servers, *, durable: bool) -> Servers:
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock_for_owner(stack, data_dir)
    with ExitStack() as starting:
        lock = lock_for_servers(starting, data_dir)
        home = Home(data_dir, create_socket_directory(stack, data_dir), unprivileged(), lock)
        return Servers(
            external.database_url or postgres.start(stack, home, durable=durable),
            external.redis_url or valkey.start(stack, home),
        )
