"""A connection to PostgreSQL that runs prepared statements, several in one round trip.

It uses libpq directly, because psycopg's cursors take more time than most statements. psycopg's
loaders and dumpers convert the values. Contains no query text.
"""

import select
from collections.abc import Iterable, Sequence
from hashlib import sha256
from time import monotonic
from typing import Any, NamedTuple

from psycopg import OperationalError, postgres, pq
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import error_from_result
from psycopg.pq.abc import PGconn, PGresult

from orgctx.config.urls import hosts
from orgctx.errors import RequestTimeout
from orgctx.stores.deadline import Deadline, watch, within

# A statement in the server's syntax, and the values of $1, $2, …
Bound = tuple[bytes, Sequence[Any]]
# Name and type of a column of a statement's rows, the type as SQL writes it.
Column = tuple[str, str]

_WAITS: dict[int, int] = {
    pq.PollingStatus.READING: select.POLLIN,
    pq.PollingStatus.WRITING: select.POLLOUT,
}


class ConnectionSilent(RequestTimeout):
    """The deadline passed while the server sent nothing; the connection may be broken."""


class TooLittleTime(ConnectionSilent):
    """The deadline passed too early to tell whether the connection is broken."""


class Part(NamedTuple):
    """The rows `first` to `end` (exclusive) of a result, without its last column."""

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
    """A connection for one thread at a time. It must be closed after any error.

    The statements of each call run in one transaction, which is committed automatically.
    """

    def __init__(self, pgconn: PGconn) -> None:
        # Whether statements are prepared, each when it is first sent.
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
    def open(cls, url: str, deadline: Deadline) -> "Connection":
        """Connect to the first reachable host.

        Raises psycopg.OperationalError, or ConnectionSilent past the deadline.
        """
        failure: Exception | None = None
        conninfos = _resolve(url, deadline.left())
        for index, conninfo in enumerate(conninfos):
            # An unreachable host leaves time for the hosts after it.
            seconds = deadline.left() / (len(conninfos) - index)
            try:
                return cls(_connect(conninfo, seconds))
            except (OperationalError, ConnectionSilent) as error:
                failure = error
        raise failure or OperationalError("no host to connect to")

    @property
    def backend_pid(self) -> int:
        """The id of the server process as reported at the start; a pooler reports another one."""
        return self._pgconn.backend_pid

    def share(self, *before: Bound) -> None:
        """Send these statements first in every call, to configure its transaction.

        Needed with a pooler, which may give each transaction another connection to the server.
        """
        self._before = before

    def run(
        self, statements: Sequence[Bound], deadline: Deadline, before: Sequence[Bound] = ()
    ) -> list[PGresult]:
        """Send statements together and return their results. If one fails, later ones do not run.

        before: statements that configure the transaction; their results are not returned.
        Raises psycopg.Error, or ConnectionSilent past the deadline.
        """
        for text, values in (*self._before, *before, *statements):
            self._send(text, values)
        self._pgconn.pipeline_sync()
        self._flush(deadline)
        results = self._results(deadline)
        return results[len(results) - len(statements) :]

    def describe(self, texts: Iterable[bytes], deadline: Deadline) -> list[PGresult]:
        """Return the server's descriptions of statements, which it does not run."""
        for text in texts:
            self._pgconn.send_prepare(b"", text)
            self._pgconn.send_describe_prepared(b"")
        self._pgconn.pipeline_sync()
        self._flush(deadline)
        return self._results(deadline)

    def columns(self, text: bytes, deadline: Deadline) -> tuple[Column, ...]:
        if text not in self._columns:
            (described,) = self.describe([text], deadline)
            self._columns[text] = tuple(
                ((described.fname(number) or b"").decode(), _type_name(described.ftype(number)))
                for number in range(described.nfields)
            )
        return self._columns[text]

    def texts(self, values: Sequence[Any]) -> list[str | None]:
        """Return values in PostgreSQL's text format."""
        # psycopg's text format of bytes depends on the connection.
        texts = ["\\x" + value.hex() if type(value) is bytes else value for value in values]
        dumped = self._transformer.dump_sequence(texts, [PyFormat.TEXT] * len(texts))
        return [None if value is None else bytes(value).decode() for value in dumped]

    def rows(self, result: Result) -> list[tuple[Any, ...]]:
        if isinstance(result, Part):
            self._transformer.set_pgresult(result.whole)
            rows = self._transformer.load_rows(result.first, result.end, tuple)
            return [row[:-1] for row in rows]
        self._transformer.set_pgresult(result)
        return self._transformer.load_rows(0, result.ntuples, tuple)

    def close(self) -> None:
        """Close the connection; the server then ends its statements."""
        self._readiness.close()
        self._pgconn.finish()

    def _send(self, text: bytes, values: Sequence[Any]) -> None:
        """Send without types, so that a statement is prepared once for all values."""
        # As text, except for bytes, whose text format depends on the connection.
        formats = [PyFormat.BINARY if type(value) is bytes else PyFormat.TEXT for value in values]
        dumped = self._transformer.dump_sequence([*map(_without_lists, values)], formats)
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
        results: list[PGresult] = []
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
                results.append(result)
            elif status == pq.ExecStatus.FATAL_ERROR:
                raise _error(result)
            elif status == pq.ExecStatus.PIPELINE_SYNC:
                return results


def _without_lists(value: Any) -> Any:
    """Return a list of texts as PostgreSQL writes arrays; psycopg takes ten times as long."""
    if type(value) is not list or not all(type(item) is str for item in value):
        return value
    quoted = [item.replace("\\", "\\\\").replace('"', '\\"') for item in value]
    return '{"' + '","'.join(quoted) + '"}' if quoted else "{}"


def statement_name(text: bytes) -> bytes:
    """Return the name of a prepared statement.

    It depends on the text, so that a pooler cannot confuse statements of different clients.
    """
    return b"orgctx_" + sha256(text).hexdigest()[:24].encode()


def _error(result: PGresult) -> Exception:
    """Return the error of a result. If the server ended the connection, it is an OperationalError.

    psycopg's class depends on the reason, such as a timeout of the transaction.
    """
    error = error_from_result(result)
    severity = result.error_field(pq.DiagnosticField.SEVERITY_NONLOCALIZED)
    if severity == b"FATAL" and not isinstance(error, OperationalError):
        return OperationalError(f"the server ended the connection: {type(error).__name__}")
    return error


def _type_name(oid: int) -> str:
    info = postgres.types[oid]
    return info.regtype + ("[]" if oid == info.array_oid else "")


def _resolve(url: str, seconds: float) -> list[bytes]:
    """Return the hosts of a URL within `seconds`: the resolver itself has no time limit."""
    try:
        return within(seconds, lambda: hosts(url))
    except TimeoutError:
        raise ConnectionSilent from None


def _connect(conninfo: bytes, seconds: float) -> PGconn:
    """Connect to one host within `seconds`: libpq itself has no time limit for this.

    Raises psycopg.OperationalError or ConnectionSilent.
    """
    pgconn = pq.PGconn.connect_start(conninfo)
    ends_at = monotonic() + seconds
    try:
        while pgconn.status != pq.ConnStatus.BAD:
            state = pgconn.connect_poll()
            if state == pq.PollingStatus.OK:
                return pgconn
            if state in _WAITS and not _poll(pgconn.socket, _WAITS[state], ends_at - monotonic()):
                raise ConnectionSilent
        raise OperationalError(f"connection failed: {pgconn.get_error_message()}")
    except BaseException:
        pgconn.finish()
        raise


def _poll(fileno: int, events: int, seconds: float) -> bool:
    """Wait at most `seconds` for a socket, without a permanent watcher; return if it is ready."""
    poll = select.poll()
    poll.register(fileno, events)
    return bool(poll.poll(max(0, int(seconds * 1000) + 1)))
