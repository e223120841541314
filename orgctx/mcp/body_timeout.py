"""Stop reading bodies that arrive too slowly, or that leave no room for other tenants.

A socket timeout restarts with each byte that a slow sender sends. Instead, one thread per
process checks the deadlines of all bodies being read and shuts down the receiving side of
expired ones. One thread per request would cost more than reading the body.
"""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from threading import Thread
from time import monotonic, sleep
from typing import NamedTuple

from orgctx.stores.deadline import Deadline

CHECK_INTERVAL_SECONDS = 0.2
KEPT_SECONDS = 1.0


class Body(NamedTuple):
    """A body that is being read."""

    deadline: Deadline
    began_at: float
    # None if the server does not expose its socket.
    connection: socket.socket | None
    # The sender of a large body; None for a small one.
    tenant: Hashable


# In the order in which they began.
_reading: dict[Deadline, Body] = {}


@contextmanager
def receiving(body: Body) -> Iterator[None]:
    """Stop receiving at the deadline while the block runs; sending stays possible."""
    if body.connection is None:
        yield
        return
    _start()
    _reading[body.deadline] = body
    try:
        yield
    finally:
        _reading.pop(body.deadline, None)


def end_one() -> None:
    """End the oldest body of the tenant that sends most large ones.

    If each tenant sends only one, end none that began less than KEPT_SECONDS ago.
    """
    bodies = [body for body in list(_reading.values()) if body.tenant is not None]
    ((tenant, count),) = Counter(body.tenant for body in bodies).most_common(1) or [(None, 0)]
    for body in bodies:
        if body.tenant == tenant:
            if count > 1 or body.began_at < monotonic() - KEPT_SECONDS:
                _end(body)
            break


@cache
def _start() -> None:
    """Start the thread on the first request, because threads do not survive a worker's fork."""
    Thread(target=_watch, name="body-timeout", daemon=True).start()


def _watch() -> None:
    while True:
        sleep(CHECK_INTERVAL_SECONDS)
        now = monotonic()
        for body in list(_reading.values()):
            if body.deadline.ends_at < now:
                _end(body)


def _end(body: Body) -> None:
    body.deadline.end()
    _reading.pop(body.deadline, None)
    assert body.connection is not None
    with suppress(OSError):
        # Not connection.shutdown(): on a TLS socket it continues in plain text.
        socket.socket.shutdown(body.connection, socket.SHUT_RD)
