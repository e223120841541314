"""A closed loop of keep-alive connections that repeat one request.

One process with one selector, which costs about 15 µs a request for every server.
"""

import gc
import socket
from collections.abc import Callable
from dataclasses import dataclass
from selectors import EVENT_READ, DefaultSelector
from time import perf_counter

WAIT_SECONDS = 30.0


class BadAnswer(Exception):
    """The answer has an unexpected status or is incomplete."""


@dataclass(frozen=True)
class Load:
    """The result of one run."""

    seconds: float
    latencies: list[float]  # in seconds, sorted

    @property
    def requests_per_second(self) -> float:
        return len(self.latencies) / self.seconds

    def percentile(self, share: float) -> float:
        """Return a percentile of the latencies in milliseconds."""
        return percentile(self.latencies, share)


def percentile(times: list[float], share: float) -> float:
    """Return a percentile of sorted seconds in milliseconds; share is from 0 to 1."""
    return times[min(len(times) - 1, int(share * len(times)))] * 1e3


class _Client:
    """One connection and the answer that it waits for."""

    def __init__(self, address: tuple[str, int], request: bytes, status: str = "") -> None:
        self.socket = socket.create_connection(address, WAIT_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.request = request
        self.status_line = f"HTTP/1.1 {status}".encode()
        self.sent_at = 0.0
        self.received = b""
        self._wanted = 0

    def send(self) -> None:
        self.received, self._wanted = b"", 0
        self.sent_at = perf_counter()
        self.socket.sendall(self.request)

    def receive(self) -> bool:
        """Read what has arrived. Returns whether the answer is complete."""
        part = self.socket.recv(262_144)
        if not part:
            raise BadAnswer("the server closed the connection")
        self.received += part
        if not self._wanted:
            end = self.received.find(b"\r\n\r\n")
            if end < 0:
                return False
            self._wanted = end + 4 + _content_length(self.received[:end].lower())
            if not self.received.startswith(self.status_line):
                raise BadAnswer(self.received[:300].decode("latin-1"))
        return len(self.received) >= self._wanted


def _content_length(head: bytes) -> int:
    if b" 304 " in head[:16]:
        return 0
    _, name, rest = head.partition(b"\r\ncontent-length:")
    if not name:
        raise BadAnswer("the answer has no Content-Length")
    return int(rest.partition(b"\r\n")[0])


def run(
    address: tuple[str, int], request: bytes, *, status: int, connections: int, seconds: float
) -> Load:
    """Keep the connections busy for this time.

    Raises:
        BadAnswer: at the first answer with another status.
    """
    clients = [_Client(address, request, f"{status} ") for _ in range(connections)]
    latencies: list[float] = []
    gc.disable()
    try:
        began_at = perf_counter()
        _drive(clients, latencies.append, began_at + seconds)
        elapsed_seconds = perf_counter() - began_at
    finally:
        gc.enable()
        for client in clients:
            client.socket.close()
    return Load(elapsed_seconds, sorted(latencies))


def _drive(clients: list[_Client], record: Callable[[float], None], deadline: float) -> None:
    """Send the next request of a connection when its answer is complete, until the deadline."""
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
                record(now - client.sent_at)
                if now < deadline:
                    client.send()
                else:
                    busy -= 1


def exchange(address: tuple[str, int], request: bytes) -> tuple[int, dict[str, str], bytes]:
    """Send one request. Returns the status, the headers in lower case and the body."""
    client = _Client(address, request)
    with client.socket:
        client.send()
        while not client.receive():
            pass
    head, _, body = client.received.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    return int(status.split()[1]), headers, body
