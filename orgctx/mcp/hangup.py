"""Ends the reading of bodies that arrive too slowly.

A timeout of the socket would begin anew with each byte of a slow sender, so one
thread of the process looks at what is being read and stops receiving for those
who are past their deadline. A thread for each request would cost more than
the rest of its reading.
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
    """While the block runs, receive nothing past the deadline; writing stays possible.

    connection: None where the server keeps its socket to itself.
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
    """The thread, begun with the first request, so after the fork of a worker."""
    Thread(target=_watch, name="hangup", daemon=True).start()


def _watch() -> None:
    while True:
        sleep(LOOK_EVERY_SECONDS)
        now = monotonic()
        for deadline, connection in list(_reading.items()):
            if deadline.at < now:
                with suppress(OSError):
                    # Not the method of a TLS socket, which would go on in plain text.
                    socket.socket.shutdown(connection, socket.SHUT_RD)
