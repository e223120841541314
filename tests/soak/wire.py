"""Plain HTTP over a keep-alive connection, which costs the clients little."""

import socket
from dataclasses import dataclass

SECONDS = 30.0
# Status, ETag and body without the request id: equal data gives equal answers.
Answer = tuple[int, bytes, bytes]


class Lost(Exception):
    """The connection ended without a complete response."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One response. headers: in lower case."""

    status: int
    headers: dict[bytes, bytes]
    body: bytes

    @property
    def answer(self) -> Answer:
        """The part of the response that is compared."""
        request_id = self.headers.get(b"x-request-id", b"")
        body = self.body.replace(request_id, b"-") if request_id else self.body
        return self.status, self.headers.get(b"etag", b""), body


class Connection:
    """One request at a time. It opens when needed, and the server may close it between requests."""

    def __init__(self, address: tuple[str, int]) -> None:
        self._address = address
        self.socket: socket.socket | None = None
        self._received = b""
        self._is_head = False

    def send(self, request: bytes) -> socket.socket:
        """Send a request. Returns the socket that will receive the response."""
        if self.socket is None:
            self.socket = socket.create_connection(self._address, SECONDS)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._received, self._is_head = b"", request.startswith(b"HEAD ")
        self.socket.sendall(request)
        return self.socket

    def receive(self) -> Reply | None:
        """Read what has arrived. Returns the response when it is complete. Raises Lost."""
        assert self.socket is not None
        part = self.socket.recv(262_144)
        self._received += part
        end = self._received.find(b"\r\n\r\n")
        reply = self._reply(end) if end >= 0 else None
        if reply is None and not part:
            raise Lost(self._received[:200])
        if reply and (not part or reply.headers.get(b"connection") == b"close"):
            self.close()
        return reply

    def exchange(self, request: bytes) -> Reply:
        """Send a request and wait for the response."""
        self.send(request)
        while True:
            if reply := self.receive():
                return reply

    def close(self) -> None:
        if self.socket:
            self.socket.close()
            self.socket = None

    def _reply(self, end: int) -> Reply | None:
        first, *lines = self._received[:end].split(b"\r\n")
        pairs = (line.partition(b":") for line in lines)
        headers = {name.lower(): value.strip() for name, _, value in pairs}
        status, body = int(first.split(b" ", 2)[1]), self._received[end + 4 :]
        bare = self._is_head or status in (204, 304)
        length = 0 if bare else int(headers[b"content-length"])
        if len(body) < length:
            return None
        if len(body) > length:
            raise Lost(f"{len(body) - length} unexpected bytes")
        return Reply(status, headers, body)
