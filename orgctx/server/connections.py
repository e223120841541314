"""Limit the open connections of one worker, per address and in total, and their unsent bytes."""

import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any

from orgctx.gate.client_address import counted
from orgctx.server.error_responses import NoFreeConnection, TooManyConnections
from orgctx.server.open_files import MAX_CONNECTIONS

# Longer than proxies keep idle connections, so that no proxy reuses a connection that was just
# closed.
KEEPALIVE_SECONDS = 75
# A connection that was just opened, or just received a response, is not closed for another one.
GRACE_SECONDS = 0.2
# Responses that clients have not yet received. The kernel buffers a little more for each.
MAX_UNSENT_BYTES = 32 * 1024 * 1024


class Connections:
    """The open connections of a worker.

    Args:
        per_address: maximum for one address; None behind proxies, which forward many clients.
        maximum: for all addresses together.
    """

    def __init__(self, per_address: int | None, maximum: int = MAX_CONNECTIONS) -> None:
        self._per_address = per_address
        self._maximum = maximum
        self._count = 0
        self._count_by_address: Counter[str] = Counter()
        # Both are ordered by start time.
        self._silent: dict[Any, float] = {}  # since when, in monotonic seconds
        self._unsent: dict[Any, int] = {}
        self._unsent_bytes = 0

    @contextmanager
    def entered(self, address: Any) -> Iterator[None]:
        """Count a connection while the block runs.

        At the maximum, the connection that has been silent longest is closed first. Raises
        TooManyConnections for the address, and NoFreeConnection if none has been silent for long.
        """
        host = self._host(address)
        count = self._count_by_address[host] if host else 0
        if self._per_address is not None and count >= self._per_address:
            raise TooManyConnections
        if self._count >= self._maximum:
            self._make_room()
        self._count += 1
        self._count_by_address[host] += 1
        try:
            yield
        finally:
            self._count -= 1
            self._count_by_address[host] -= 1
            if not self._count_by_address[host]:
                del self._count_by_address[host]

    @contextmanager
    def silent(self, client: Any) -> Iterator[None]:
        """Mark the client as silent while the worker waits for its request."""
        self._silent[client] = monotonic()
        try:
            yield
        finally:
            self._silent.pop(client, None)

    def begin_response(self, client: Any, size: int) -> None:
        """Count unsent bytes. Above MAX_UNSENT_BYTES, hang up on the oldest response."""
        self.end_response(client)
        self._unsent[client] = size
        self._unsent_bytes += size
        while self._unsent_bytes > MAX_UNSENT_BYTES and len(self._unsent) > 1:
            slowest = next(iter(self._unsent))
            self.end_response(slowest)
            hang_up(slowest)

    def end_response(self, client: Any) -> None:
        """Stop counting the client's response, sent or not."""
        self._unsent_bytes -= self._unsent.pop(client, 0)

    def shut_silent(self) -> None:
        """Stop receiving from silent clients. Bytes that have arrived can still be read."""
        for client in list(self._silent):
            with suppress(OSError):
                client.shutdown(socket.SHUT_RD)

    def _make_room(self) -> None:
        longest = next(iter(self._silent), None)
        if longest is None or monotonic() - self._silent[longest] < GRACE_SECONDS:
            raise NoFreeConnection
        del self._silent[longest]
        hang_up(longest)

    def _host(self, address: Any) -> str:
        """Return the address to count; empty for a Unix socket, which many clients share."""
        if not isinstance(address, tuple):
            return ""
        return counted(address[0]) or address[0]


def hang_up(client: Any) -> None:
    """Stop receiving and sending. The client's greenlet then ends by itself."""
    with suppress(OSError):
        client.shutdown(socket.SHUT_RDWR)
