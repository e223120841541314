"""Run Redis commands with deadlines, and raise errors as ApiError. Only quota.py uses this module.

redis-py's clients take more time for a command than the server, so only its connections (addresses,
TLS, authentication, protocol) are used, in a pool of this module, with the deadline of a request
instead of redis-py's own timeouts. A cluster uses redis-py's cluster client.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cached_property
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode
from redis.connection import parse_url
from redis.exceptions import NoScriptError, ReadOnlyError, RedisClusterException
from redis.retry import Retry
from redis.sentinel import Sentinel

from orgctx.config.urls import RedisAddress, parse_redis_url
from orgctx.errors import RequestTimeout, ServiceUnavailable
from orgctx.observability.observers import REDIS, observed
from orgctx.stores.deadline import Deadline, Readiness, is_green, watch, within
from orgctx.stores.redis_errors import reason_of

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

    def _connect(self) -> Any:
        connect = super()._connect  # type: ignore[misc]
        return within(self._left(), connect)

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


SLOTS = 16_384
FULL_COVERAGE = "cluster-require-full-coverage"

# gevent's timers may end early, by the time since the last iteration of the event loop.
EARLY_SECONDS = 0.1


class RedisClient:
    """A client of one server for any number of threads. Each running command has a connection."""

    def __init__(self, url: str) -> None:
        settings = parse_url(url)  # type: ignore[no-untyped-call]
        self._connect = CONNECTIONS[settings.pop("connection_class", redis.Connection)]
        self._settings = settings | {"retry": Retry(NoBackoff(), 0)}
        self._idle: deque[Any] = deque()

    def execute(self, deadline: Deadline, *command: str | int, is_repeatable: bool = True) -> Any:
        """Return the reply to one command, which is retried once if the connection was broken.

        It may then have run twice: counting a request twice is better than not counting it.
        is_repeatable: False for commands that must not run twice; a broken connection then raises.
        Raises RequestTimeout past the deadline, ServiceUnavailable if the server is unreachable,
        NoScriptError unchanged.
        """
        try:
            try:
                return self._run(deadline, command)
            except redis.ConnectionError:
                # The idle connections were opened before the error and are probably broken too.
                self._close_idle()
                if not is_repeatable:
                    raise
                return self._run(deadline, command)
        except NoScriptError:
            raise
        except redis.TimeoutError:
            # The idle connections may be broken too.
            self._close_idle()
            if deadline.left() < EARLY_SECONDS:
                raise RequestTimeout from None
            raise _unavailable() from None
        except redis.RedisError as error:
            raise _unavailable(error) from error

    def info(self, deadline: Deadline) -> dict[str, str]:
        lines = self.execute(deadline, "INFO", "memory").decode().splitlines()
        return dict(line.split(":", 1) for line in lines if ":" in line)

    def one_per_server(self, names: list[str], deadline: Deadline) -> list[str]:  # noqa: ARG002
        """Return one of the names for each server that stores some of them."""
        return names[:1]

    def warnings(self, deadline: Deadline) -> list[str]:  # noqa: ARG002, others use it
        """Return messages about what an operator should fix, although the server is reachable."""
        return []

    def close(self) -> None:
        self._close_idle()

    def _close_idle(self) -> None:
        with suppress(IndexError):
            while True:
                self._idle.pop().disconnect()

    def _address(self, deadline: Deadline) -> dict[str, Any]:  # noqa: ARG002, others use it
        """Return the address to connect to, if the settings do not contain it."""
        return {}

    def _run(self, deadline: Deadline, command: tuple[str | int, ...]) -> Any:
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._connect(**self._settings | self._address(deadline))
        connection.deadline = deadline
        try:
            reply = observed(REDIS, _name(command), connection.exchange, command)
        except ReadOnlyError as error:
            # The server has become a replica; another server is or will be the master.
            connection.disconnect()
            raise redis.ConnectionError("not the master") from error
        except redis.ResponseError:
            self._idle.append(connection)
            raise
        except BaseException:
            # After an interruption, the reply may still arrive.
            connection.disconnect()
            raise
        self._idle.append(connection)
        return reply


class SentinelClient(RedisClient):
    """A client of a master. Asks the Sentinels for its address before each new connection."""

    def __init__(self, address: RedisAddress, *, timeout_seconds: float) -> None:
        super().__init__(address.url)
        share = timeout_seconds / 2 / len(address.hosts)
        encryption: dict[str, Any] = {"ssl": True} if address.is_encrypted else {}
        tls = {name: value for name, value in self._settings.items() if name.startswith("ssl_")}
        self._service = address.service
        self._sentinel = Sentinel(  # type: ignore[no-untyped-call]
            address.hosts,
            sentinel_kwargs=encryption
            | tls
            | address.sentinel
            | {"socket_timeout": share, "socket_connect_timeout": share}
            | {"retry": Retry(NoBackoff(), 0)},
        )

    def warnings(self, deadline: Deadline) -> list[str]:
        """Explain why a failover would fail, if there are too few Sentinels."""
        deadline.left()
        try:
            self._address(deadline)
            # redis-py moves the Sentinel that named the master to the front.
            sentinel: Any = self._sentinel.sentinels[0]
            sentinel.execute_command("SENTINEL", "CKQUORUM", self._service)
        except redis.ResponseError as error:
            return [str(error)]
        except redis.RedisError as error:
            raise _unavailable(error) from error
        return []

    def _address(self, deadline: Deadline) -> dict[str, Any]:
        discover: Any = self._sentinel.discover_master
        try:
            host, port = within(deadline.left(), lambda: discover(self._service))
        except TimeoutError as error:
            raise redis.TimeoutError from error
        return {"host": host, "port": port}

    def close(self) -> None:
        super().close()
        self._sentinel.close()


class RedisClusterClient:
    """A client of a cluster, by any of its nodes. Each node may use a share of the time budget."""

    def __init__(self, address: RedisAddress, *, timeout_seconds: float) -> None:
        self._address = address
        self._share_seconds = timeout_seconds / 4

    @cached_property
    def _cluster(self) -> redis.RedisCluster:
        address = self._address
        return redis.RedisCluster(
            # With rediss://, redis-py would choose the class of connections.
            url=address.url.replace("rediss://", "redis://", 1),
            startup_nodes=[
                ClusterNode(*host)  # type: ignore[no-untyped-call]
                for host in address.hosts
            ],
            connection_class=TlsNodeConnection if address.is_encrypted else NodeConnection,
            socket_timeout=self._share_seconds,
            # A slot without a master must not make the others unavailable.
            require_full_coverage=False,
            retry=Retry(NoBackoff(), 1),
        )

    def execute(
        self,
        deadline: Deadline,
        *command: str | int,
        is_repeatable: bool = True,  # noqa: ARG002, redis-py decides
    ) -> Any:
        with self._errors(deadline):
            return observed(REDIS, _name(command), self._cluster.execute_command, *command)

    def one_per_server(self, names: list[str], deadline: Deadline) -> list[str]:
        with self._errors(deadline):
            server: Any = self._cluster.get_node_from_key
            servers = {server(name): name for name in reversed(names)}
        return list(servers.values())

    @contextmanager
    def _errors(self, deadline: Deadline) -> Iterator[None]:
        """Use the deadline, and raise errors of redis-py as ApiError."""
        token = DEADLINE.set(deadline)
        try:
            yield
        except NoScriptError:
            raise
        except (redis.RedisError, RedisClusterException) as error:
            deadline.left()
            raise _unavailable(error) from error
        finally:
            DEADLINE.reset(token)

    def info(self, deadline: Deadline) -> dict[str, str]:
        info = self.execute(deadline, "INFO", "memory")
        return {name: str(value) for name, value in info.items()}

    def warnings(self, deadline: Deadline) -> list[str]:
        """List slots without a master, and the setting that lets one such slot stop the cluster."""
        warnings = []
        covered_count = int(self.execute(deadline, "CLUSTER INFO")["cluster_slots_ok"])
        if covered_count < SLOTS:
            warnings.append(f"{SLOTS - covered_count} of {SLOTS} slots have no master")
        setting = self.execute(deadline, "CONFIG GET", FULL_COVERAGE)
        if setting.get(FULL_COVERAGE) == "yes":
            warnings.append(f"{FULL_COVERAGE} is yes, so one lost master stops all: set it to no")
        return warnings

    def close(self) -> None:
        if "_cluster" in self.__dict__:
            self._cluster.close()


def connect(url: str, *, timeout_seconds: float) -> RedisClient | RedisClusterClient:
    """Return the client for a URL; orgctx.config.urls describes its formats."""
    address = parse_redis_url(url)
    if address.kind == "cluster":
        return RedisClusterClient(address, timeout_seconds=timeout_seconds)
    if address.kind == "sentinel":
        return SentinelClient(address, timeout_seconds=timeout_seconds)
    return RedisClient(address.url)


def _name(command: tuple[str | int, ...]) -> tuple[str]:
    return (str(command[0]),)


def _unavailable(error: Exception | None = None) -> ServiceUnavailable:
    reason = reason_of(error)[0].name if error else ""
    return ServiceUnavailable("The quota store is unavailable. Retry with backoff.", reason=reason)
