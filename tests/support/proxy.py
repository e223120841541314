"""A TCP proxy that simulates failures of networks and servers."""

import select
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from time import sleep
from urllib.parse import unquote, urlsplit

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from tests.support.deployment import Deployment

TICK_SECONDS = 0.02
# forward: no failure. pause: nothing is forwarded until the mode changes. delay: everything is
# forwarded late. reset: connections are reset. half-open: connections stay open, but nothing is
# forwarded on them any more. refuse: the port is closed.
FORWARD, PAUSE, DELAY, RESET, HALF_OPEN, REFUSE = (
    "forward", "pause", "delay", "reset", "half-open", "refuse",
)  # fmt: skip
RST = struct.pack("ii", 1, 0)

Address = str | tuple[str, int]


class Proxy:
    """A proxy that listens on `port` of a loopback address until its `with` block ends.

    target: where it forwards new connections: path of a Unix socket, or host and port. Assignable.
    """

    def __init__(self, target: Address, host: str = "127.0.0.1", port: int = 0) -> None:
        self.target = target
        self._host = host
        self.delay_seconds = 0.0
        self._mode = FORWARD
        self._ended = Event()
        self._lock = Lock()
        self._listener = socket.create_server((host, port))
        self.port: int = self._listener.getsockname()[1]
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._lost: set[socket.socket] = set()
        self._threads = [Thread(target=self._accept)]
        self._threads[0].start()

    def __enter__(self) -> "Proxy":
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()
        self._listener.close()

    def set(self, mode: str, delay_seconds: float = 0.0) -> None:
        """Set the mode. FORWARD ends a failure; reset and half-open connections stay broken."""
        with self._lock:
            self.delay_seconds = delay_seconds
            if self._mode == REFUSE and mode != REFUSE:
                self._listener = socket.create_server((self._host, self.port))
            if mode == REFUSE and self._mode != REFUSE:
                self._listener.close()
            if mode in (RESET, REFUSE):
                self._reset_all()
            if mode == HALF_OPEN:
                self._lost |= {client for client, _ in self._pairs}
            self._mode = mode

    def _accept(self) -> None:
        while not self._ended.is_set():
            with self._lock:
                if self._mode == REFUSE or not _readable([self._listener], 0):
                    client = None
                else:
                    client, _ = self._listener.accept()
                    self._open(client)
            if client is None:
                sleep(TICK_SECONDS / 4)

    def _open(self, client: socket.socket) -> None:
        if self._mode == RESET:
            _reset(client)
            return
        if self._mode == HALF_OPEN:
            self._lost.add(client)
        family = socket.AF_UNIX if isinstance(self.target, str) else socket.AF_INET
        server = socket.socket(family)
        try:
            server.connect(self.target)
        except OSError:
            server.close()
            _reset(client)
            return
        self._pairs.append((client, server))
        self._threads.append(Thread(target=self._pump, args=(client, server)))
        self._threads[-1].start()

    def _pump(self, client: socket.socket, server: socket.socket) -> None:
        """Forward bytes in both directions until one side ends."""
        try:
            while not self._ended.is_set():
                if self._mode == PAUSE:
                    sleep(TICK_SECONDS)
                    continue
                for source in _readable([client, server], TICK_SECONDS):
                    data = source.recv(65_536)
                    if not data:
                        return
                    if client in self._lost or self._mode == PAUSE:
                        continue
                    self._ended.wait(self.delay_seconds)
                    (server if source is client else client).sendall(data)
        except (OSError, ValueError):
            pass
        finally:
            with self._lock, suppress(ValueError):
                self._pairs.remove((client, server))
            self._lost.discard(client)
            client.close()
            server.close()

    def _reset_all(self) -> None:
        for client, server in self._pairs:
            _reset(client)
            with suppress(OSError):
                server.shutdown(socket.SHUT_RDWR)


def _readable(sockets: list[socket.socket], seconds: float) -> list[socket.socket]:
    return select.select(sockets, [], [], seconds)[0]


def _reset(client: socket.socket) -> None:
    """Close a connection with RST. Its `_pump` then ends with an error."""
    with suppress(OSError):
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RST)
        client.close()


def database_address(url: str) -> Address:
    """Return the address of the server in a libpq URL."""
    info = conninfo_to_dict(url)
    host, port = str(info.get("host") or "127.0.0.1"), int(info.get("port") or 5432)
    return f"{host}/.s.PGSQL.{port}" if host.startswith("/") else (host, port)


def redis_address(url: str) -> Address:
    """Return the address of the server in a Redis URL."""
    parts = urlsplit(url)
    if parts.scheme == "unix":
        return unquote(parts.path)
    return (parts.hostname or "127.0.0.1", parts.port or 6379)


def database_through(proxy: Proxy, url: str) -> str:
    """Return a URL that connects to the same database through a proxy."""
    return make_conninfo(url, host="127.0.0.1", port=proxy.port, sslmode="disable")


@contextmanager
def behind(deployment: Deployment) -> Iterator[tuple[Deployment, Proxy, Proxy]]:
    """Yield a deployment through proxies, which are those of the database and of Redis."""
    urls = deployment.database_url, deployment.admin_url
    with (
        Proxy(database_address(urls[0])) as database,
        Proxy(redis_address(deployment.redis_url)) as redis,
    ):
        service, admin = (database_through(database, url) for url in urls)
        password = urlsplit(deployment.redis_url).password or ""
        redis_url = f"redis://:{password}@127.0.0.1:{redis.port}/0"
        yield Deployment(service, redis_url, admin), database, redis
