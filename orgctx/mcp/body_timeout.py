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

LOOK_EVERY_SECONDS = 0.2

_reading: dict[Deadline, socket.socket] = {}


@contextmanager
def hung_up_at(deadline: Deadline, connection: socket.socket | None) -> Iterator[None]:
    """While the block runs, stop receiving at the deadline; writing stays possible.

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
    Thread(target=_watch, name="hangup", daemon=True).start()


def _watch() -> None:
    while True:
        sleep(LOOK_EVERY_SECONDS)
        now = monotonic()
        for deadline, connection in list(_reading.items()):
            if deadline.ends_at < now:
                with suppress(OSError):
                    # The base class's method: that of a TLS socket continues in plain text.
                    socket.socket.shutdown(connection, socket.SHUT_RD)
