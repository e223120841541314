"""redis-py's connections (addresses, TLS, authentication, protocol) with the deadline of a request.

redis-py's own timeouts are the same for every request, so they are ignored.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

import redis

from orgctx.errors import RequestTimeout
from orgctx.stores.deadline import Deadline
from orgctx.stores.readiness import Readiness, is_green, watch

# The deadline of the current request, for clusters, whose client chooses connections itself.
DEADLINE: ContextVar[Deadline | None] = ContextVar("deadline", default=None)
MIN_SECONDS = 0.001


class _DeadlineMixin:
    """Limits connecting and reading to the deadline of the request."""

    deadline: Deadline | None = None
    _readiness: Readiness | None = None

    def exchange(self, command: tuple[str | int, ...]) -> Any:
        """Send a command and return its reply."""
        self.send_command(*command)  # type: ignore[attr-defined]
        self._await_reply()
        return self.read_response()

    def _await_reply(self) -> None:
        """Let a greenlet wait before a read, which would otherwise be tried twice.

        redis-py has no public name for its socket. Only this module uses `_sock`.
        """
        if is_green():
            if self._readiness is None:
                self._readiness = watch(self._sock.fileno())  # type: ignore[attr-defined]
            if self.deadline and not self._readiness.wait(self.deadline.left()):
                raise redis.TimeoutError("no reply in time")

    def disconnect(self, *args: Any, **kwargs: Any) -> None:
        if self._readiness is not None:
            self._readiness.close()
            self._readiness = None
        super().disconnect(*args, **kwargs)  # type: ignore[misc]

    def _left(self) -> float | None:
        return self.deadline.left() if self.deadline else None

    def _ignore(self, _: float | None) -> None:
        """Ignore redis-py's timeouts, because they are the same for every request."""

    def _socket_seconds(self) -> float | None:
        """Return the timeout of the socket. redis-py would leak the socket if this raised."""
        try:
            return self._left()
        except RequestTimeout:
            return MIN_SECONDS

    socket_timeout = property(_socket_seconds, _ignore)
    socket_connect_timeout = property(_socket_seconds, _ignore)

    def read_response(self, *args: Any, **kwargs: Any) -> Any:
        kwargs["timeout"] = self._left()
        return super().read_response(*args, **kwargs)  # type: ignore[misc]


class TcpConnection(_DeadlineMixin, redis.Connection):
    pass


class TlsConnection(_DeadlineMixin, redis.SSLConnection):
    pass


class UnixConnection(_DeadlineMixin, redis.UnixDomainSocketConnection):
    pass


class _NodeMixin(_DeadlineMixin):
    """For a node of a cluster: `socket_timeout` is a share of the request's time budget, so that
    there is time left for other nodes."""

    # The default, because redis-py may read the timeout before it sets it.
    _share_seconds = 1.0

    def _left(self) -> float:
        deadline = DEADLINE.get()
        return min(self._share_seconds, deadline.left()) if deadline else self._share_seconds

    def _set_share(self, seconds: float) -> None:
        self._share_seconds = seconds

    socket_timeout = property(_DeadlineMixin._socket_seconds, _set_share)
    socket_connect_timeout = property(_DeadlineMixin._socket_seconds, _DeadlineMixin._ignore)


class NodeConnection(_NodeMixin, redis.Connection):
    pass


class TlsNodeConnection(_NodeMixin, redis.SSLConnection):
    pass


CONNECTIONS = {
    redis.Connection: TcpConnection,
    redis.SSLConnection: TlsConnection,
    redis.UnixDomainSocketConnection: UnixConnection,
}
