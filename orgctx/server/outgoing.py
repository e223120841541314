"""A client's socket that sends the head of a response together with its body.

Each send wakes another process, which costs more than the rest of sending.
"""

from __future__ import annotations

from typing import Any

# Copying a longer body costs more than sending it separately.
JOINED_BYTES = 64 * 1024


class Outgoing:
    """The socket to which gunicorn writes a response, first the head and then the body."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._has_begun = False
        self._head = b""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def sendall(self, data: bytes) -> None:
        """Buffer the head, and send it with the data that follows."""
        if not self._has_begun:
            self._has_begun, self._head = True, data
        elif len(data) > JOINED_BYTES:
            self.flush()
            self._client.sendall(data)
        else:
            head, self._head = self._head, b""
            self._send(head + data)

    def flush(self) -> None:
        """Send a head without a body."""
        head, self._head = self._head, b""
        if head:
            self._send(head)

    def _send(self, data: bytes) -> None:
        # gevent's sendall would query the size of the buffer first.
        if (sent := self._client.send(data)) < len(data):
            self._client.sendall(data[sent:])
