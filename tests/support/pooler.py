"""Run PgBouncer between the service and the database of a test."""

import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from tests.support.processes import free_port
from tests.support.proxy import Proxy, database_address
from tests.support.waiting import PATIENCE_SECONDS, until

# How many server connections the clients of one database and login share.
SIZE = 2


@dataclass
class Pooler:
    """A PgBouncer. url: connects to the test's database through it."""

    program: str
    configuration: Path
    port: int
    url: str
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start PgBouncer and wait until it listens."""
        assert self.process is None
        # PgBouncer refuses to run as root.
        account = ["-u", "nobody"] if os.geteuid() == 0 else []
        command = [self.program, *account, str(self.configuration)]
        with self.configuration.with_suffix(".log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        until(self._listens, f"see {self.configuration.with_suffix('.log')}")

    def _listens(self) -> bool:
        assert self.process
        log = self.configuration.with_suffix(".log")
        assert self.process.poll() is None, log.read_text()
        socket.create_connection(("127.0.0.1", self.port), 1).close()
        return True

    def die(self) -> None:
        """Kill PgBouncer; its connections to clients and to the server break."""
        process, self.process = self.process, None
        if process is not None:
            process.send_signal(signal.SIGKILL)
            process.wait(PATIENCE_SECONDS)


@contextmanager
def pooled(program: str, url: str, *, prepared: int | None = None) -> Iterator[Pooler]:
    """Run PgBouncer in transaction mode while the block runs.

    program: path of PgBouncer. url: of the test's database. prepared: its max_prepared_statements,
    or None if this version has no such setting.
    """
    with ExitStack() as stack:
        # PgBouncer runs as another user, who cannot open the socket of an embedded server.
        proxy = stack.enter_context(Proxy(database_address(url)))
        given = conninfo_to_dict(url)
        server = {"host": "127.0.0.1", "port": proxy.port, "user": given["user"]}
        if given.get("password"):
            server["password"] = given["password"]
        port = free_port()
        lines = [
            "[databases]",
            "* = " + " ".join(f"{name}={value}" for name, value in server.items()),
            "[pgbouncer]",
            "listen_addr = 127.0.0.1",
            f"listen_port = {port}",
            "unix_socket_dir =",
            "auth_type = any",
            "pool_mode = transaction",
            f"default_pool_size = {SIZE}",
        ]
        if prepared is not None:
            lines.append(f"max_prepared_statements = {prepared}")
        # Outside the files of the test run, which are searched for passwords: it contains one.
        configuration = Path(stack.enter_context(TemporaryDirectory()), "pgbouncer.ini")
        configuration.write_text("\n".join(lines) + "\n")
        through = make_conninfo(
            dbname=given["dbname"], host="127.0.0.1", port=port, user=given["user"],
            sslmode="disable",
        )  # fmt: skip
        pooler = Pooler(program, configuration, port, through)
        stack.callback(pooler.die)
        pooler.start()
        yield pooler
