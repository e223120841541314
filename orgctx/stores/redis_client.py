"""Run Redis commands with deadlines, and raise errors as ApiError, with the reason in words.

For one server, redis-py's clients take more time for a command than the server, so only its
connections (addresses, TLS, authentication, protocol) are used, in a pool of this module. A cluster
uses redis-py's cluster client.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from ssl import SSLCertVerificationError
from typing import Any

import redis
from redis import exceptions
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode
from redis.retry import Retry

from orgctx.config.urls import RedisAddress, parse_redis_url
from orgctx.errors import RequestTimeout, ServiceUnavailable
from orgctx.observability.observers import REDIS, observed
from orgctx.stores.deadline import Deadline, within

# Why Redis does not count, by the class of an error; the first that matches is used. Redis itself
# explains the others.
REASONS: dict[type[Exception], str] = {
    SSLCertVerificationError: "untrusted certificate",
    ConnectionRefusedError: "connection refused",
    exceptions.AuthenticationError: "wrong password",
    exceptions.NoPermissionError: "no permission",
    exceptions.OutOfMemoryError: "out of memory",
    exceptions.ReadOnlyError: "read-only",
    exceptions.BusyLoadingError: "loading",
    exceptions.ResponseError: "rejects a command",
}
# gevent's timers may end early, by the time since the last iteration of the event loop.
EARLY_SECONDS = 0.1


class RedisClient:
    """A client of one server for any number of threads. Each running command has a connection."""

    def __init__(self, url: str, *, timeout_seconds: float) -> None:
        pool = redis.ConnectionPool.from_url(
            url,
            retry=Retry(NoBackoff(), 0),
            socket_timeout=timeout_seconds,
            socket_connect_timeout=timeout_seconds,
        )
        self._new_connection = partial(pool.connection_class, **pool.connection_kwargs)
        self._idle: deque[Any] = deque()

    def execute(self, deadline: Deadline, *command: str | int) -> Any:
        """Return the reply to one command, which is retried once if the connection was broken.

        It may then have run twice: counting a request twice is better than not counting it.
        Raises RequestTimeout past the deadline, ServiceUnavailable if the server is unreachable,
        NoScriptError unchanged.
        """
        try:
            try:
                return self._run(deadline, command)
            except (redis.ConnectionError, exceptions.ReadOnlyError):
                # The idle connections are probably broken too, or their server has become a
                # replica; another one is or will be the master.
                self.close()
            return self._run(deadline, command)
        except exceptions.NoScriptError:
            raise
        except (redis.TimeoutError, TimeoutError):
            # The idle connections may be broken too.
            self.close()
            if deadline.left() < EARLY_SECONDS:
                raise RequestTimeout from None
            raise _unavailable() from None
        except (redis.RedisError, OSError) as error:
            # redis-py opens a file for each connection, which may fail.
            raise _unavailable(error) from error

    def one_per_server(self, names: list[str], deadline: Deadline) -> list[str]:  # noqa: ARG002
        """Return one of the names for each server that stores some of them."""
        return names[:1]

    def close(self) -> None:
        with suppress(IndexError):
            while True:
                self._idle.pop().disconnect()

    def _run(self, deadline: Deadline, command: tuple[str | int, ...]) -> Any:
        connection = self._take(deadline)
        try:
            reply = observed(REDIS, _name(command), _exchange, connection, command, deadline)
        except redis.ResponseError:
            self._idle.append(connection)
            raise
        except BaseException:
            # After an interruption, the reply may still arrive.
            connection.disconnect()
            raise
        self._idle.append(connection)
        return reply

    def _take(self, deadline: Deadline) -> Any:
        # Another thread may take the last connection between a check and the pop.
        with suppress(IndexError):
            return self._idle.pop()
        connection = self._new_connection()
        within(deadline.left(), connection.connect)
        return connection


def _exchange(connection: Any, command: tuple[str | int, ...], deadline: Deadline) -> Any:
    """Send a command and return its reply."""
    connection.send_command(*command)
    return connection.read_response(timeout=deadline.left())


class RedisClusterClient:
    """A client of a cluster, by any of its nodes. Each node may use a share of the time budget."""

    def __init__(self, address: RedisAddress, *, timeout_seconds: float) -> None:
        self._address = address
        self._share_seconds = timeout_seconds / 4

    @cached_property
    def _cluster(self) -> redis.RedisCluster:
        return redis.RedisCluster(
            url=self._address.url,
            startup_nodes=[
                ClusterNode(*node)  # type: ignore[no-untyped-call]
                for node in self._address.nodes
            ],
            socket_timeout=self._share_seconds,
            socket_connect_timeout=self._share_seconds,
            # A slot without a master must not make the others unavailable.
            require_full_coverage=False,
            retry=Retry(NoBackoff(), 1),
        )

    def execute(self, deadline: Deadline, *command: str | int) -> Any:
        """Return the reply to one command. A thread waits for it, because redis-py may ask several
        nodes one after the other, and asks them for their slots when the client is made."""

        def call() -> Any:
            execute: Any = self._cluster.execute_command
            return execute(*command)

        with _errors(deadline):
            return observed(REDIS, _name(command), within, deadline.left(), call)

    def one_per_server(self, names: list[str], deadline: Deadline) -> list[str]:
        def call() -> dict[Any, str]:
            server: Any = self._cluster.get_node_from_key
            return {server(name): name for name in reversed(names)}

        with _errors(deadline):
            return [*within(deadline.left(), call).values()]

    def close(self) -> None:
        if "_cluster" in self.__dict__:
            self._cluster.close()


@contextmanager
def _errors(deadline: Deadline) -> Iterator[None]:
    """Raise errors of redis-py's cluster client as ApiError."""
    try:
        yield
    except exceptions.NoScriptError:
        raise
    except TimeoutError:
        raise RequestTimeout from None
    except (redis.RedisError, exceptions.RedisClusterException) as error:
        deadline.left()
        raise _unavailable(error) from error


def connect(url: str, *, timeout_seconds: float) -> RedisClient | RedisClusterClient:
    """Return the client for a URL; orgctx.config.urls describes its formats."""
    address = parse_redis_url(url)
    if address.nodes:
        return RedisClusterClient(address, timeout_seconds=timeout_seconds)
    return RedisClient(address.url, timeout_seconds=timeout_seconds)


def _name(command: tuple[str | int, ...]) -> tuple[str]:
    return (str(command[0]),)


def _unavailable(error: Exception | None = None) -> ServiceUnavailable:
    reason = reason_of(error)[0] if error else ""
    return ServiceUnavailable("The quota store is unavailable. Retry with backoff.", reason=reason)


def reason_of(error: BaseException) -> tuple[str, BaseException]:
    """Return why Redis did not count, and which error in the chain of causes says so.

    The reason is one of REASONS, because it labels a metric; empty if Redis is unreachable.
    """
    while True:
        for kind, reason in REASONS.items():
            if isinstance(error, kind):
                return reason, error
        cause = error.__cause__ or error.__context__
        if cause is None:
            return "", error
        error = cause
