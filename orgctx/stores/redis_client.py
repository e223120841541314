"""Redis: bounded connections with deadlines, and faults as error answers. quota.py uses them.

redis-py's clients take more time for a command than the server does, so only its connections
(addresses, TLS, authentication, the protocol) are used, in a pool of this module.
"""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from functools import cached_property
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.connection import parse_url
from redis.exceptions import NoScriptError, RedisClusterException
from redis.retry import Retry

from orgctx.errors import ServiceUnavailable
from orgctx.server.observers import REDIS, asking
from orgctx.stores.deadline import Deadline
from orgctx.stores.readiness import Readiness, is_green, watch


class RedisClient:
    """One server, for any number of threads; each running command has a connection."""

    def __init__(self, url: str) -> None:
        settings = parse_url(url)  # type: ignore[no-untyped-call]
        self._connect = _CONNECTIONS[settings.pop("connection_class", redis.Connection)]
        self._settings = settings | {"retry": Retry(NoBackoff(), 0)}
        self._idle: deque[Any] = deque()

    def execute(self, deadline: Deadline, *command: str | int, is_repeatable: bool = True) -> Any:
        """The answer to one command, sent once more if the connection was broken.

        A command may then have run twice: counting a request twice is better than not at all.
        is_repeatable: False for commands that must not run twice; a broken connection then raises.
        Raises RequestTimeout past the deadline, ServiceUnavailable if the server refuses
        or drops, NoScriptError unchanged.
        """
        try:
            try:
                return self._run(deadline, command)
            except redis.ConnectionError:
                # The others were opened before the fault and are probably broken too.
                self.close()
                if not is_repeatable:
                    raise
                return self._run(deadline, command)
        except NoScriptError:
            raise
        except redis.TimeoutError:
            # Idle connections are as old and may be broken too.
            self.close()
            deadline.left()
            raise ServiceUnavailable("The quota store did not answer in time; try again.") from None
        except redis.RedisError as error:
            raise _unavailable() from error

    def info(self, deadline: Deadline) -> dict[str, str]:
        """The server's INFO about memory."""
        lines = self.execute(deadline, "INFO", "memory").decode().splitlines()
        return dict(line.split(":", 1) for line in lines if ":" in line)

    def close(self) -> None:
        """Close the idle connections."""
        with suppress(IndexError):
            while True:
                self._idle.pop().disconnect()

    def _run(self, deadline: Deadline, command: tuple[str | int, ...]) -> Any:
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._connect(**self._settings)
        connection.deadline = deadline
        try:
            with asking(REDIS, _name(command)):
                connection.send_command(*command)
                connection.await_answer()
                answer = connection.read_response()
        except redis.ResponseError:
            self._idle.append(connection)
            raise
        except BaseException:
            # After an interruption an answer may still arrive.
            connection.disconnect()
            raise
        self._idle.append(connection)
        return answer


class RedisClusterClient:
    """A cluster, by any of its nodes. Its timeouts are fixed: a share of the budget."""

    def __init__(self, url: str, *, timeout_seconds: float) -> None:
        self._url = url
        self._timeout = timeout_seconds / 4

    @cached_property
    def _cluster(self) -> redis.RedisCluster:
        return redis.RedisCluster.from_url(
            self._url, socket_timeout=self._timeout, socket_connect_timeout=self._timeout
        )

    def execute(
        self,
        deadline: Deadline,
        *command: str | int,
        is_repeatable: bool = True,  # noqa: ARG002, its own client decides
    ) -> Any:
        """As RedisClient.execute."""
        try:
            with asking(REDIS, _name(command)):
                return self._cluster.execute_command(*command)  # type: ignore[no-untyped-call]
        except NoScriptError:
            raise
        except (redis.RedisError, RedisClusterException) as error:
            deadline.left()
            raise _unavailable() from error

    def info(self, deadline: Deadline) -> dict[str, str]:
        """One server's INFO about memory."""
        answer = self.execute(deadline, "INFO", "memory")
        return {name: str(value) for name, value in answer.items()}

    def close(self) -> None:
        """Close every connection."""
        if "_cluster" in self.__dict__:
            self._cluster.close()


def connect(url: str, *, timeout_seconds: float) -> RedisClient | RedisClusterClient:
    """The client for a URL. `redis+cluster://`, `rediss+cluster://`: any node of a cluster."""
    scheme, rest = url.split("://", 1)
    if scheme.endswith("+cluster"):
        url = f"{scheme.removesuffix('+cluster')}://{rest}"
        return RedisClusterClient(url, timeout_seconds=timeout_seconds)
    return RedisClient(url)


def _name(command: tuple[str | int, ...]) -> tuple[str]:
    return (str(command[0]),)


def _unavailable() -> ServiceUnavailable:
    return ServiceUnavailable("The quota store did not answer; try again.")


class _DeadlineMixin:
    """Limits connecting and reading to the deadline of the request."""

    deadline: Deadline | None = None
    _readiness: Readiness | None = None

    def await_answer(self) -> None:
        """Wait as a greenlet, before a read that would otherwise be tried twice.

        redis-py has no public name for its socket; only this module uses it.
        """
        if is_green():
            if self._readiness is None:
                self._readiness = watch(self._sock.fileno())  # type: ignore[attr-defined]
            if self.deadline and not self._readiness.wait(self.deadline.left()):
                raise redis.TimeoutError("no answer in time")

    def disconnect(self, *args: Any, **kwargs: Any) -> None:
        if self._readiness is not None:
            self._readiness.close()
            self._readiness = None
        super().disconnect(*args, **kwargs)  # type: ignore[misc]

    def _left(self) -> float | None:
        return self.deadline.left() if self.deadline else None

    def _keep(self, _: float | None) -> None:
        """Ignore redis-py's timeouts, because they are the same for every request."""

    socket_timeout = property(_left, _keep)
    socket_connect_timeout = property(_left, _keep)

    def read_response(self, *args: Any, **kwargs: Any) -> Any:
        kwargs["timeout"] = self._left()
        return super().read_response(*args, **kwargs)  # type: ignore[misc]


class _TcpConnection(_DeadlineMixin, redis.Connection):
    pass


class _TlsConnection(_DeadlineMixin, redis.SSLConnection):
    pass


class _UnixConnection(_DeadlineMixin, redis.UnixDomainSocketConnection):
    pass


_CONNECTIONS = {
    redis.Connection: _TcpConnection,
    redis.SSLConnection: _TlsConnection,
    redis.UnixDomainSocketConnection: _UnixConnection,
}
