"""Redis: bounded connections with deadlines, and faults as error answers. quota.py uses them.

redis-py's clients take more time for a command than the server does, so only its connections
are used, in a pool of this module; a cluster is left to its client.
"""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from functools import cached_property
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode
from redis.connection import parse_url
from redis.exceptions import NoScriptError, ReadOnlyError, RedisClusterException
from redis.retry import Retry
from redis.sentinel import Sentinel

from orgctx.config.redis_url import Place, parse
from orgctx.errors import RequestTimeout, ServiceUnavailable
from orgctx.observability.observers import REDIS, observed
from orgctx.stores.deadline import Deadline
from orgctx.stores.redis_connections import (
    CONNECTIONS,
    DEADLINE,
    NodeConnection,
    TlsNodeConnection,
)

SLOTS = 16_384
FULL_COVERAGE = "cluster-require-full-coverage"

# gevent's timers may end early, by the work that their loop did since its last turn.
EARLY_SECONDS = 0.1


class RedisClient:
    """One server, for any number of threads; each running command has a connection."""

    def __init__(self, url: str) -> None:
        settings = parse_url(url)  # type: ignore[no-untyped-call]
        self._connect = CONNECTIONS[settings.pop("connection_class", redis.Connection)]
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
                self._close_idle()
                if not is_repeatable:
                    raise
                return self._run(deadline, command)
        except NoScriptError:
            raise
        except redis.TimeoutError:
            # Idle connections are as old and may be broken too.
            self._close_idle()
            if deadline.left() < EARLY_SECONDS:
                raise RequestTimeout from None
            raise ServiceUnavailable("The quota store did not answer in time; try again.") from None
        except redis.RedisError as error:
            raise _unavailable() from error

    def info(self, deadline: Deadline) -> dict[str, str]:
        """The server's INFO about memory."""
        lines = self.execute(deadline, "INFO", "memory").decode().splitlines()
        return dict(line.split(":", 1) for line in lines if ":" in line)

    def warnings(self, deadline: Deadline) -> list[str]:  # noqa: ARG002, others have some
        """What an operator should mend, although it answers."""
        return []

    def close(self) -> None:
        """Close every connection."""
        self._close_idle()

    def _close_idle(self) -> None:
        with suppress(IndexError):
            while True:
                self._idle.pop().disconnect()

    def _address(self, deadline: Deadline) -> dict[str, Any]:  # noqa: ARG002, others ask for it
        """Where to connect, if the settings do not say it."""
        return {}

    def _run(self, deadline: Deadline, command: tuple[str | int, ...]) -> Any:
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._connect(**self._settings | self._address(deadline))
        connection.deadline = deadline
        try:
            answer = observed(REDIS, _name(command), connection.exchange, command)
        except ReadOnlyError as error:
            # The server has become a replica; another is the master, or will be.
            connection.disconnect()
            raise redis.ConnectionError("not the master") from error
        except redis.ResponseError:
            self._idle.append(connection)
            raise
        except BaseException:
            # After an interruption an answer may still arrive.
            connection.disconnect()
            raise
        self._idle.append(connection)
        return answer


class SentinelClient(RedisClient):
    """The master that Sentinels name; they are asked for each new connection."""

    def __init__(self, place: Place, *, timeout_seconds: float) -> None:
        super().__init__(place.url)
        share = timeout_seconds / 2 / len(place.hosts)
        own: dict[str, Any] = {"ssl": True} if place.is_encrypted else {}
        tls = {name: value for name, value in self._settings.items() if name.startswith("ssl_")}
        self._service = place.service
        self._sentinel = Sentinel(  # type: ignore[no-untyped-call]
            place.hosts,
            sentinel_kwargs=own
            | tls
            | place.sentinel
            | {"socket_timeout": share, "socket_connect_timeout": share}
            | {"retry": Retry(NoBackoff(), 0)},
        )

    def warnings(self, deadline: Deadline) -> list[str]:
        """Why no other master could be chosen, if there are too few Sentinels."""
        deadline.left()
        try:
            self._address(deadline)
            # The first is the one that has named the master.
            first: Any = self._sentinel.sentinels[0]
            first.execute_command("SENTINEL", "CKQUORUM", self._service)
        except redis.ResponseError as error:
            return [str(error)]
        except redis.RedisError as error:
            raise _unavailable() from error
        return []

    def _address(self, deadline: Deadline) -> dict[str, Any]:
        deadline.left()
        host, port = self._sentinel.discover_master(self._service)  # type: ignore[no-untyped-call]
        return {"host": host, "port": port}

    def close(self) -> None:
        """Close every connection."""
        super().close()
        self._sentinel.close()


class RedisClusterClient:
    """A cluster, by any of its nodes. A node may take a share of the time budget."""

    def __init__(self, place: Place, *, timeout_seconds: float) -> None:
        self._place = place
        self._share_seconds = timeout_seconds / 4

    @cached_property
    def _cluster(self) -> redis.RedisCluster:
        place = self._place
        return redis.RedisCluster(
            # The scheme would choose the class of connections.
            url=place.url.replace("rediss://", "redis://", 1),
            startup_nodes=[
                ClusterNode(*host)  # type: ignore[no-untyped-call]
                for host in place.hosts
            ],
            connection_class=TlsNodeConnection if place.is_encrypted else NodeConnection,
            socket_timeout=self._share_seconds,
            # A slot without a master must not refuse the others.
            require_full_coverage=False,
            retry=Retry(NoBackoff(), 1),
        )

    def execute(
        self,
        deadline: Deadline,
        *command: str | int,
        is_repeatable: bool = True,  # noqa: ARG002, its own client decides
    ) -> Any:
        """Like RedisClient.execute."""
        token = DEADLINE.set(deadline)
        try:
            return observed(REDIS, _name(command), self._cluster.execute_command, *command)
        except NoScriptError:
            raise
        except (redis.RedisError, RedisClusterException) as error:
            deadline.left()
            raise _unavailable() from error
        finally:
            DEADLINE.reset(token)

    def info(self, deadline: Deadline) -> dict[str, str]:
        """One server's INFO about memory."""
        answer = self.execute(deadline, "INFO", "memory")
        return {name: str(value) for name, value in answer.items()}

    def warnings(self, deadline: Deadline) -> list[str]:
        """Slots that nobody serves, and the setting by which one slot stops all."""
        found = []
        covered = int(self.execute(deadline, "CLUSTER INFO")["cluster_slots_ok"])
        if covered < SLOTS:
            found.append(f"{SLOTS - covered} of {SLOTS} slots have no master")
        setting = self.execute(deadline, "CONFIG GET", FULL_COVERAGE)
        if setting.get(FULL_COVERAGE) == "yes":
            found.append(f"{FULL_COVERAGE} is yes, so that one lost master stops all: set it to no")
        return found

    def close(self) -> None:
        """Close every connection."""
        if "_cluster" in self.__dict__:
            self._cluster.close()


def connect(url: str, *, timeout_seconds: float) -> RedisClient | RedisClusterClient:
    """The client for a URL, whose forms orgctx.stores.redis_url knows."""
    place = parse(url)
    if place.kind == "cluster":
        return RedisClusterClient(place, timeout_seconds=timeout_seconds)
    if place.kind == "sentinel":
        return SentinelClient(place, timeout_seconds=timeout_seconds)
    return RedisClient(place.url)


def _name(command: tuple[str | int, ...]) -> tuple[str]:
    return (str(command[0]),)


def _unavailable() -> ServiceUnavailable:
    return ServiceUnavailable("The quota store did not answer; try again.")
