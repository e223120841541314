"""Stop reading bodies that arrive too slowly.

A socket timeout restarts with each byte that a slow sender sends. Instead, one thread per
process checks the deadlines of all bodies being read and shuts down the receiving side of
expired ones. One thread per request would cost more than reading the body.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from threading import Thread
from time import monotonic, sleep

from orgctx.stores.deadline import Deadline

CHECK_INTERVAL_SECONDS = 0.2

_reading: dict[Deadline, socket.socket] = {}


@contextmanager
def receiving_until(deadline: Deadline, connection: socket.socket | None) -> Iterator[None]:
    """Stop receiving at the deadline while the block runs; sending stays possible.

    Args:
        connection: None if the server does not expose its socket.
    """
    if connection is None:
        yield
        return
    _start()
    _reading[deadline] = connection
    try:
        yield
    finally:
        del _reading[deadline]


@cache
def _start() -> None:
    """Start the thread on the first request, because threads do not survive a worker's fork."""
    Thread(target=_watch, name="body-timeout", daemon=True).start()


def _watch() -> None:
    while True:
        sleep(CHECK_INTERVAL_SECONDS)
        now = monotonic()
        for deadline, connection in list(_reading.items()):
            if deadline.ends_at < now:
                with suppress(OSError):
                    # Not connection.shutdown(): on a TLS socket it continues in plain text.
                    socket.socket.shutdown(connection, socket.SHUT_RD)
