"""Run the service under gunicorn in separate processes, and send it raw requests."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from io import BufferedReader
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import orjson

from tests.support.deployment import UNLIMITED, Deployment
from tests.support.processes import ROOT, children, free_port, started
from tests.support.waiting import PATIENCE_SECONDS, until
from tests.support.written import written

SOURCES = "/api/v1/sources"
NEWER = "9.9.9"
# By the name of the server; gunicorn takes port and workers from the environment.
COMMANDS = {
    "gunicorn": ("gunicorn", "-c", "python:orgctx.gunicorn", "wsgi:app"),
    "granian": (
        "granian", "--interface", "wsgi", "--factory", "--workers", "{workers}",
        "--blocking-threads", "8", "--port", "{port}", "orgctx.app:create_app",
    ),
}  # fmt: skip


class Answer(NamedTuple):
    """One response.

    headers: with names in lower case. body: parsed if it is JSON, else bytes. seconds: duration.
    """

    status: int
    headers: dict[str, str]
    body: Any
    seconds: float


@dataclass(frozen=True)
class Running:
    """A running server. process: gunicorn's master. key: what its clients send."""

    port: int
    process: subprocess.Popen[bytes]
    key: str = ""

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """The address of the MCP endpoint."""
        return f"{self.base_url}/api/mcp"

    def connect(self, timeout: float = PATIENCE_SECONDS) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def workers(self) -> set[int]:
        """Return the process ids of the workers."""
        return {*children(self.process.pid)}

    def log(self) -> list[dict[str, Any]]:
        """Return the parsed lines of the log so far."""
        with written.log(self.port) as file:
            return [orjson.loads(line) for line in Path(file.name).read_bytes().splitlines()]

    def get(
        self,
        path: str = SOURCES,
        key: str = "",
        *lines: str,
        method: str = "GET",
        timeout: float = PATIENCE_SECONDS,
    ) -> Answer:
        """Send a request without a body on a new connection, which the server closes.

        lines: further header lines.
        """
        request = head(path, key, *lines, "Connection: close", method=method)
        return self.send(request, method, timeout)

    def post(self, message: Any, key: str) -> Answer:
        """Send a message to the MCP endpoint on a new connection."""
        body = orjson.dumps(message)
        lines = ("Content-Type: application/json", f"Content-Length: {len(body)}")
        return self.send(
            head("/api/mcp", key, *lines, "Connection: close", method="POST") + body, "POST"
        )

    def send(
        self, request: bytes, method: str = "GET", timeout: float = PATIENCE_SECONDS
    ) -> Answer:
        """Send these bytes on a new connection. Returns the first response."""
        began = monotonic()
        with closing(self.connect(timeout)) as connection:
            connection.sendall(request)
            return receive(connection, began, method)


def head(path: str, key: str = "", *lines: str, method: str = "GET") -> bytes:
    """Return the head of a request. lines: further header lines."""
    authorization = [f"Authorization: Bearer {key}"] if key else []
    whole = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *authorization, *lines]
    return "\r\n".join([*whole, "", ""]).encode("latin-1")


class Stream(BufferedReader):
    """Read several responses of one connection; a response may be buffered before it is read."""

    def __init__(self, connection: socket.socket) -> None:
        super().__init__(connection.makefile("rb", buffering=0))

    def makefile(self, _: str) -> "Stream":
        return self

    def close(self) -> None:
        """Do nothing, because HTTPResponse calls this after each response. Use `end`."""

    def end(self) -> None:
        super().close()


def receive(connection: socket.socket | Stream, began: float = 0, method: str = "GET") -> Answer:
    """Read the next response.

    began: when the request was sent, in monotonic seconds.

    Raises:
        OSError, HTTPException: there is no complete response.
    """
    with closing(HTTPResponse(connection, method=method)) as response:  # type: ignore[arg-type]
        response.begin()
        body: Any = response.read()
    headers = {name.lower(): value for name, value in response.getheaders()}
    if body and headers.get("content-type", "").startswith("application/json"):
        body = orjson.loads(body)
    return Answer(response.status, headers, body, monotonic() - began)


# Sent after every fuzzed request.
NEXT = head("/healthz", "", "Connection: close")


def exchange(running: Running, sent: bytes) -> list[Answer]:
    """Send bytes, shut down the sending side, and return all responses until the server closes."""
    answers: list[Any] = []
    with closing(running.connect()) as connection:
        # The server may have closed the connection already.
        with suppress(OSError):
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
        stream = Stream(connection)
        with suppress(HTTPException, ConnectionError):
            while True:
                try:
                    answers.append(receive(stream))
                except TimeoutError:
                    raise AssertionError("a hang") from None
        stream.end()
    return answers


# As another user than root, files of other users are unreachable inside.
NAMESPACE = ["unshare", "--mount", *(["--map-root-user"] if os.geteuid() else [])]


@contextmanager
def serve(deployment: Deployment, key: str = "", /, **settings: Any) -> Iterator[Running]:
    """Run the service while the block runs. Its log is kept until the end of the test run.

    settings: fields of Config and their values; also `workers`, by default one, `port`, by default
    a free one, `code`, the folder that contains the package, by default this repository, `server`,
    a name in COMMANDS, `open_files`, the limit of each process, and `hosts`, a file that replaces
    /etc/hosts.
    """
    workers = settings.pop("workers", 1)
    hosts = settings.pop("hosts", None)
    named = ["sh", "-c", f'mount --bind {hosts} /etc/hosts && exec "$@"', "sh"]
    enclosed = [*NAMESPACE, *named] if hosts else []
    limit = settings.pop("open_files", None)
    limited = ["sh", "-c", f'ulimit -n {limit} && exec "$@"', "sh"] if limit else []
    port, code = settings.pop("port", None) or free_port(), settings.pop("code", ROOT)
    arguments = COMMANDS[settings.pop("server", "gunicorn")]
    values = {
        "base_url": f"http://127.0.0.1:{port}",
        "limit_key": UNLIMITED,
        "limit_organization": UNLIMITED,
        "limit_ip": UNLIMITED,
        "limit_page": UNLIMITED,
        **settings,
    }
    environment = {
        **os.environ,
        **deployment.environment,
        **{f"ORGCTX_{name.upper()}": str(value) for name, value in values.items()},
        "WEB_CONCURRENCY": str(workers),
    }
    with written.log(port) as log:
        values = {"port": port, "workers": workers}
        program = [sys.executable, "-m", *(each.format(**values) for each in arguments)]
        command = [*enclosed, *limited, *program]
        with started(command, port, environment, cwd=code, stderr=log) as process:
            running = Running(port, process, key)
            until(lambda: len(running.workers()) >= workers, f"fewer than {workers} workers")
            yield running


def newer_release(directory: Path, migration: str) -> Path:
    """Copy the code to a directory, with a later version and this migration, named 999_newer."""
    for name in ("orgctx", "sql"):
        shutil.copytree(ROOT / name, directory / name)
    shutil.copy(ROOT / "wsgi.py", directory)
    package = directory / "orgctx/__init__.py"
    version = f'__version__ = "{NEWER}"'
    package.write_text(re.sub(r'__version__ = ".*"', version, package.read_text()))
    (directory / "sql/schema/999_newer.sql").write_text(migration)
    return directory


class Host:
    """One of several hosts of a service, to start and stop. settings: fields of Config."""

    def __init__(self, deployment: Deployment, **settings: Any) -> None:
        self.port = free_port()
        self._deployment = deployment
        self._settings: dict[str, Any] = {
            "base_url": "http://fleet.example",
            "bind": self.address,
        } | settings
        self._stack = ExitStack()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self, code: Path = ROOT) -> None:
        """Start the server and wait until it is ready. code: folder that contains the package."""
        self._running = self._stack.enter_context(
            serve(self._deployment, port=self.port, code=code, **self._settings)
        )

    def die(self) -> None:
        """Kill the server with SIGKILL: connections break, and open requests get no response."""
        for pid in [self._running.process.pid, *self._running.workers()]:
            os.kill(pid, signal.SIGKILL)
        self.stop()

    def stop(self) -> None:
        """Stop the server gracefully with SIGTERM, as `systemctl stop` does."""
        self._running.process.terminate()
        self._running.process.wait(60)
        self._stack.close()
