"""Read a request head, the bytes before the body, completely before it is parsed.

Its size and the time until it is complete are limited. gunicorn's parser scans the whole head again
whenever bytes arrive and waits for more without a timeout, so a few unfinished heads could block a
worker.
"""

import re
from time import monotonic
from typing import Any

import gevent

from orgctx.errors import ApiError, MalformedRequest
from orgctx.server import gunicorn_private as private

MAX_BYTES = 16 * 1024
MAX_FIELDS = 64
MAX_FIELD_BYTES = 8190
# The longest percent-encoded query of the contract exceeds gunicorn's default of 4,094.
MAX_LINE_BYTES = 8190
# The maximum number of chunks in one body. Each chunk has two line ends.
MAX_CHUNKS = 10_000
END = b"\r\n\r\n"
BARE_LINE_FEED = re.compile(rb"(?<!\r)\n")


class HeadTooLarge(ApiError):
    status, code = 431, "head_too_large"
    default_message = (
        f"Request headers too large; the maximum is {MAX_BYTES // 1024} KiB in {MAX_FIELDS} "
        f"headers of {MAX_FIELD_BYTES:,} bytes each."
    )


class LineTooLong(ApiError):
    status, code = 414, "uri_too_long"
    default_message = f"Request line too long; the maximum is {MAX_LINE_BYTES:,} bytes."


class HeadTooSlow(ApiError):
    status, code = 408, "request_timeout"

    def __init__(self, seconds: float) -> None:
        super().__init__(f"The request headers did not arrive within {seconds:g} seconds.")


class HostMissing(MalformedRequest):
    default_message = "An HTTP/1.1 request needs a `Host` header."


def check_host(request: Any) -> None:
    """Raise HostMissing as RFC 9112 section 3.2 requires; gunicorn's parser does not check it."""
    if request.version >= (1, 1) and "HOST" not in dict(request.headers):
        raise HostMissing


class UnknownCoding(ApiError):
    status, code = 501, "unknown_transfer_coding"
    default_message = "Unsupported `Transfer-Encoding` header; only `chunked` is supported."


def check_codings(request: Any) -> None:
    """Raise UnknownCoding for `gzip, chunked` and the like: gunicorn would leave the body coded."""
    for name, value in request.headers:
        if name == "TRANSFER-ENCODING" and value.strip().lower() != "chunked":
            raise UnknownCoding


def closes(request: Any) -> bool:
    """Return whether the client lists `close` as an option of the connection."""
    options = [value for name, value in request.headers if name == "CONNECTION"]
    return "close" in [option.strip().lower() for option in ",".join(options).split(",")]


class HeadReader(private.SocketUnreader):  # type: ignore[misc]
    """gunicorn's reader of a connection. Returns one complete head, then the body as it arrives."""

    def __init__(self, client: Any, seconds: float) -> None:
        """seconds: time limit for a head from its first byte, and for the first head from now."""
        super().__init__(client)
        self._seconds = seconds
        self._head = b""
        self._line_ends = 0

    def read_head(self, silence_seconds: float) -> bool:
        """Wait for the next head. Returns False if the client stays silent or disconnects.

        Raises HeadTooLarge or HeadTooSlow.
        """
        data = bytearray(self.take_buffered())
        if data:
            # Let other clients run, in case this one sends requests without awaiting responses.
            gevent.sleep(0)
        elif not self._receive(data, monotonic() + silence_seconds):
            return False
        return self._complete(data, monotonic() + self._seconds)

    def read(self, size: int | None = None, read_ahead: int | None = None) -> bytes:
        """Return the head if one is waiting, otherwise read from the socket."""
        if self._head:
            head, self._head, self._line_ends = self._head, b"", 0
            return head
        data: bytes = super().read(size, read_ahead)
        if size is None:
            # gunicorn reads chunks this way, and each costs more than the bytes in it.
            self._line_ends += data.count(b"\r\n")
            if self._line_ends > 2 * MAX_CHUNKS:
                raise private.NoMoreData
        return data

    def _complete(self, data: bytearray, deadline: float) -> bool:
        searched = 0
        while (end := data.find(END, searched)) < 0:
            if len(data) > MAX_BYTES:
                raise HeadTooLarge
            if BARE_LINE_FEED.search(data, searched):
                # A head with a bare line feed is invalid. The parser rejects it with a message.
                end = len(data) - len(END)
                break
            searched = max(0, len(data) - len(END) + 1)
            try:
                if not self._receive(data, deadline):
                    return False
            except TimeoutError:
                raise HeadTooSlow(self._seconds) from None
        end += len(END)
        if end > MAX_BYTES:
            raise HeadTooLarge
        self._head = bytes(data[:end])
        self.unread(data[end:])
        return True

    def _receive(self, data: bytearray, deadline: float) -> bool:
        """Append the bytes that arrive next. Returns False at the end. Raises TimeoutError."""
        self.sock.settimeout(max(0.001, deadline - monotonic()))
        received = self.chunk()
        data += received
        return bool(received)
