"""A closed loop of keep-alive connections that repeat one request, and how long each took.

One process and one selector: it costs about 15 µs a request, the same for every server.
"""

from __future__ import annotations

import gc
import socket
from collections.abc import Callable
from dataclasses import dataclass
from selectors import EVENT_READ, DefaultSelector
from time import perf_counter

WAIT_SECONDS = 30.0


class BadAnswer(Exception):
    """Another status than the one that is measured, or no whole answer."""


@dataclass(frozen=True)
class Load:
    """What one run gave. latencies: seconds, sorted."""

    seconds: float
    latencies: list[float]

    @property
    def requests_per_second(self) -> float:
        return len(self.latencies) / self.seconds

    def percentile(self, share: float) -> float:
        """Milliseconds that this share of all requests took at most."""
        return self.latencies[min(len(self.latencies) - 1, int(share * len(self.latencies)))] * 1e3


class _Client:
    """One connection and the answer that it waits for."""

    def __init__(self, address: tuple[str, int], request: bytes, status: int) -> None:
        self.socket = socket.create_connection(address, WAIT_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.request = request
        self.head = f"HTTP/1.1 {status} ".encode()
        self.sent_at = 0.0
        self._received = b""
        self._wanted = 0

    def send(self) -> None:
        self._received, self._wanted = b"", 0
        self.sent_at = perf_counter()
        self.socket.sendall(self.request)

    def receive(self) -> bool:
        """Take what is there; whether the answer is whole."""
        part = self.socket.recv(262_144)
        if not part:
            raise BadAnswer("the server hung up")
        self._received += part
        if not self._wanted:
            end = self._received.find(b"\r\n\r\n")
            if end < 0:
                return False
            self._wanted = end + 4 + _content_length(self._received[:end].lower())
            if not self._received.startswith(self.head):
                raise BadAnswer(self._received[:300].decode("latin-1"))
        return len(self._received) >= self._wanted


def _content_length(head: bytes) -> int:
    _, found, rest = head.partition(b"\r\ncontent-length:")
    if not found and b" 304 " not in head[:16]:
        raise BadAnswer("an answer without a length")
    return int(rest.partition(b"\r\n")[0]) if found and b" 304 " not in head[:16] else 0


def run(
    address: tuple[str, int], request: bytes, *, status: int, connections: int, seconds: float
) -> Load:
    """Keep so many connections busy for so long. Raises BadAnswer at the first wrong one."""
    clients = [_Client(address, request, status) for _ in range(connections)]
    latencies: list[float] = []
    gc.disable()
    try:
        began = perf_counter()
        _drive(clients, latencies.append, began + seconds)
        elapsed = perf_counter() - began
    finally:
        gc.enable()
        for client in clients:
            client.socket.close()
    return Load(elapsed, sorted(latencies))


def _drive(clients: list[_Client], note: Callable[[float], None], until: float) -> None:
    """Each connection sends its next request once its answer is whole, until the time is up."""
    busy = len(clients)
    with DefaultSelector() as selector:
        for client in clients:
            selector.register(client.socket, EVENT_READ, client)
            client.send()
        while busy:
            events = selector.select(WAIT_SECONDS)
            if not events:
                raise BadAnswer(f"no answer for {WAIT_SECONDS:.0f} s")
            for key, _ in events:
                client = key.data
                if not client.receive():
                    continue
                now = perf_counter()
                note(now - client.sent_at)
                if now < until:
                    client.send()
                else:
                    busy -= 1


def exchange(address: tuple[str, int], request: bytes) -> tuple[int, dict[str, str], bytes]:
    """One request: status, headers in lower case, body."""
    with socket.create_connection(address, WAIT_SECONDS) as connection:
        connection.sendall(request)
        received = b""
        while b"\r\n\r\n" not in received:
            received += _some(connection)
        head, _, body = received.partition(b"\r\n\r\n")
        length = _content_length(head.lower())
        while len(body) < length:
            body += _some(connection)
    status, *lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    return int(status.split()[1]), headers, body


def _some(connection: socket.socket) -> bytes:
    part = connection.recv(262_144)
    if not part:
        raise BadAnswer("the server hung up")
    return part
