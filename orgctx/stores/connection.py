"""One connection to PostgreSQL: prepared statements, several in one round trip.

Uses libpq directly, because psycopg's cursors take more time than most statements. psycopg's
loaders and dumpers convert the values. Contains no query text.
"""

from __future__ import annotations

import select
from collections.abc import Sequence
from hashlib import sha256
from time import monotonic
from typing import Any, NamedTuple

from psycopg import OperationalError, postgres, pq
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import error_from_result
from psycopg.pq.abc import PGconn, PGresult

from orgctx.config.database_url import hosts
from orgctx.errors import RequestTimeout
from orgctx.stores.deadline import Deadline
from orgctx.stores.readiness import watch

# A statement in the server's syntax, and the values of $1, $2, …
Bound = tuple[bytes, Sequence[Any]]
RawRows = list[tuple[bytes | None, ...]]
# Name and type of a column of a statement's rows, the type as SQL writes it.
Column = tuple[str, str]

_WAITS: dict[int, int] = {
    pq.PollingStatus.READING: select.POLLIN,
    pq.PollingStatus.WRITING: select.POLLOUT,
}


class ConnectionSilent(RequestTimeout):
    """The deadline passed while the server was silent; the connection may be dead."""


class Part(NamedTuple):
    """The rows from `first` to before `end`, without the last column."""

    whole: PGresult
    first: int
    end: int

    @property
    def nfields(self) -> int:
        return self.whole.nfields - 1

    def fname(self, number: int) -> bytes | None:
        return self.whole.fname(number)


Result = PGresult | Part


class Connection:
    """A connection for one user at a time. It must be closed after any error.

    The statements of each call run in one transaction, which is committed automatically.
    prepares: whether statements are prepared, each when it is first sent.
    """

    def __init__(self, pgconn: PGconn) -> None:
        self.prepares = True
        self._before: tuple[Bound, ...] = ()
        self._pgconn = pgconn
        self._readiness = watch(pgconn.socket)
        self._names: dict[bytes, bytes] = {}
        self._columns: dict[bytes, tuple[Column, ...]] = {}
        self._transformer = Transformer()
        pgconn.nonblocking = 1
        pgconn.enter_pipeline_mode()

    @classmethod
    def open(cls, url: str, deadline: Deadline) -> Connection:
        """Connect to the first host that answers.

        Raises psycopg.OperationalError, or ConnectionSilent past the deadline.
        """
        failure: Exception | None = None
        conninfos = hosts(url)
        for tried, conninfo in enumerate(conninfos):
            # A silent host leaves time for the hosts after it.
            seconds = deadline.left() / (len(conninfos) - tried)
            try:
                return cls(_connect(conninfo, seconds))
            except (OperationalError, ConnectionSilent) as error:
                failure = error
        raise failure or OperationalError("no host to connect to")

    @property
    def backend_pid(self) -> int:
        """The number of the server process as the server named it; a pooler names another."""
        return self._pgconn.backend_pid

    def share(self, *before: Bound) -> None:
        """Send statements before those of every call, whose transaction they configure.

        For a pooler, which may give each transaction another connection to the server.
        """
        self._before = before

    def run(self, statements: Sequence[Bound], deadline: Deadline) -> list[PGresult]:
        """Send statements together and return their results; if one fails, later ones do not run.

        Raises psycopg.Error, or ConnectionSilent past the deadline.
        """
        for text, values in self._before:
            self._send(text, values)
        for text, values in statements:
            self._send(text, values)
        self._pgconn.pipeline_sync()
        self._flush(deadline)
        results = self._results(deadline)
        return results[len(results) - len(statements) :]

    def columns(self, text: bytes, deadline: Deadline) -> tuple[Column, ...]:
        """The columns of a statement's rows, which the server is asked for once; it is not run."""
        if text not in self._columns:
            self._pgconn.send_prepare(b"", text)
            self._pgconn.send_describe_prepared(b"")
            self._pgconn.pipeline_sync()
            self._flush(deadline)
            (described,) = self._results(deadline)
            self._columns[text] = tuple(
                ((described.fname(number) or b"").decode(), _type_name(described.ftype(number)))
                for number in range(described.nfields)
            )
        return self._columns[text]

    def texts(self, values: Sequence[Any]) -> list[str | None]:
        """Values as the server reads them."""
        # The text form of bytes would depend on the connection.
        given = ["\\x" + one.hex() if type(one) is bytes else one for one in values]
        dumped = self._transformer.dump_sequence(given, [PyFormat.TEXT] * len(given))
        return [None if one is None else bytes(one).decode() for one in dumped]

    def rows(self, result: Result) -> list[tuple[Any, ...]]:
        """The rows of a result as Python values."""
        if isinstance(result, Part):
            self._transformer.set_pgresult(result.whole)
            rows = self._transformer.load_rows(result.first, result.end, tuple)
            return [row[:-1] for row in rows]
        self._transformer.set_pgresult(result)
        return self._transformer.load_rows(0, result.ntuples, tuple)

    def raw(self, result: Result) -> RawRows:
        """The rows of a whole result as bytes."""
        assert not isinstance(result, Part)
        self._transformer.set_loader_types((0,) * result.nfields, pq.Format.BINARY)
        self._transformer.set_pgresult(result, set_loaders=False)
        return self._transformer.load_rows(0, result.ntuples, tuple)

    def close(self) -> None:
        """Close the connection; the server then ends its statements."""
        self._readiness.close()
        self._pgconn.finish()

    def _send(self, text: bytes, values: Sequence[Any]) -> None:
        """Send without types, so that a statement is prepared once for all values."""
        # As text, except for bytes, whose text form depends on the connection.
        formats = [PyFormat.BINARY if type(one) is bytes else PyFormat.TEXT for one in values]
        dumped = self._transformer.dump_sequence(values, formats)
        if not self.prepares:
            self._pgconn.send_query_params(text, dumped, None, self._transformer.formats)
            return
        name = self._names.get(text)
        if name is None:
            name = self._names[text] = statement_name(text)
            self._pgconn.send_prepare(name, text)
        self._pgconn.send_query_prepared(name, dumped, self._transformer.formats)

    def _flush(self, deadline: Deadline) -> None:
        """Send until the socket has taken everything."""
        while self._pgconn.flush():
            if _poll(self._pgconn.socket, select.POLLIN | select.POLLOUT, deadline.left()):
                self._pgconn.consume_input()

    def _results(self, deadline: Deadline) -> list[PGresult]:
        found: list[PGresult] = []
        while True:
            while self._pgconn.is_busy():
                if not self._readiness.wait(deadline.left()):
                    raise ConnectionSilent
                self._pgconn.consume_input()
            result = self._pgconn.get_result()
            if result is None:
                # One statement or the connection has ended.
                if self._pgconn.status == pq.ConnStatus.BAD:
                    raise OperationalError("the connection is lost")
                continue
            status = result.status
            # A description has columns and no rows.
            if status == pq.ExecStatus.TUPLES_OK or result.nfields:
                found.append(result)
            elif status == pq.ExecStatus.FATAL_ERROR:
                raise error_from_result(result)
            elif status == pq.ExecStatus.PIPELINE_SYNC:
                return found


def statement_name(text: bytes) -> bytes:
    """The name under which a statement is prepared: by its text, so that no pooler can take one
    client's statement for another's."""
    return b"orgctx_" + sha256(text).hexdigest()[:24].encode()


def _type_name(oid: int) -> str:
    """The name of a type that PostgreSQL itself has."""
    found = postgres.types[oid]
    return found.regtype + ("[]" if oid == found.array_oid else "")


def _connect(conninfo: bytes, seconds: float) -> PGconn:
    """Connect to one host. libpq has no time limit for this."""
    pgconn = pq.PGconn.connect_start(conninfo)
    until = monotonic() + seconds
    try:
        while pgconn.status != pq.ConnStatus.BAD:
            state = pgconn.connect_poll()
            if state == pq.PollingStatus.OK:
                return pgconn
            if state in _WAITS and not _poll(pgconn.socket, _WAITS[state], until - monotonic()):
                raise ConnectionSilent
        raise OperationalError(f"connection failed: {pgconn.get_error_message()}")
    except BaseException:
        pgconn.finish()
        raise


def _poll(fileno: int, events: int, seconds: float) -> bool:
    """Wait once for a socket without keeping a watcher."""
    poll = select.poll()
    poll.register(fileno, events)
    return bool(poll.poll(max(0, int(seconds * 1000) + 1)))
