"""Cache callers between requests, and verify in each request that nothing has changed.

A request of a cached caller is charged at once, and its key look-up is sent with its first
statement. The results are used only if the look-up's row equals the cached row, which contains the
version of all data that keys of the organization read. So every response is preceded by a look-up
in the same request, which reads no sources. A caller that was just looked up is verified in the
same way, because the body may arrive or a connection become free much later.

A replica may lack the newest decisions (a revoked key, a withdrawn approval, a suppressed item) and
the newest load. So the key is looked up on the primary first, and again in the snapshot in which
the replica reads the data; if the rows differ, the request is answered from the primary
(docs/decisions.md, 14). Independent of HTTP.
"""

from collections.abc import Sequence
from threading import Lock
from typing import Any, NamedTuple

from orgctx.errors import ServiceUnavailable
from orgctx.operations.exposure import Caller
from orgctx.stores.connection import ConnectionSilent, TooLittleTime
from orgctx.stores.db import Rows, Statement
from orgctx.stores.deadline import Deadline
from orgctx.stores.pool import Pool
from orgctx.stores.replicas import Replicas

# Callers and their sources; a source takes about 1 KiB of memory, and at most 4.
MOST_ROWS = 16_000


class CachedCaller(NamedTuple):
    """The result of a look-up. limits: requests per minute of the key, and of its organization."""

    row: tuple[Any, ...]  # of gate/find_key, without the time
    caller: Caller
    access: str
    limits: tuple[int, int]
    fresh_until: float  # the server's time when the next source becomes overdue

    @property
    def row_count(self) -> int:
        """The rows of which it was built."""
        return 1 + len(self.caller.approved)

    def equals(self, looked_up: Rows) -> bool:
        """Return whether a look-up found the same key, and data of the same version."""
        return [row[:-1] for row in looked_up.rows] == [self.row]

    def is_current(self, looked_up: Rows) -> bool:
        """Return whether it is equal, and all sources are as fresh as they were."""
        return self.equals(looked_up) and looked_up.rows[0][-1] <= self.fresh_until


class CallerCache:
    """The callers of one process by the hash of their key; evicts the least recently used."""

    def __init__(self, max_rows: int = MOST_ROWS) -> None:
        self._max_rows = max_rows
        self._row_count = 0
        self._callers: dict[bytes, CachedCaller] = {}
        self._mutex = Lock()

    def get(self, key_hash: bytes) -> CachedCaller | None:
        """Return the caller as of the key's last look-up, or None if it is not cached."""
        with self._mutex:
            caller = self._callers.pop(key_hash, None)
            if caller is not None:
                self._callers[key_hash] = caller
            return caller

    def add(self, key_hash: bytes, caller: CachedCaller) -> None:
        """Add a caller; evict others if there is no room."""
        with self._mutex:
            self._remove(key_hash)
            self._callers[key_hash] = caller
            self._row_count += caller.row_count
            while self._row_count > self._max_rows:
                self._remove(next(iter(self._callers)))

    def remove(self, key_hash: bytes) -> None:
        """Remove a caller, so that its key is looked up before it is charged."""
        with self._mutex:
            self._remove(key_hash)

    def _remove(self, key_hash: bytes) -> None:
        caller = self._callers.pop(key_hash, None)
        if caller is not None:
            self._row_count -= caller.row_count


class CallerChanged(BaseException):
    """The key's caller has changed, so no response made for the old caller may be sent.

    Not an Exception, so that no handler turns it into a response.
    """


class VerifiedReads:
    """The database of one request; the look-up of its caller is sent with the first statement.

    Every method raises CallerChanged if the look-up finds another caller.
    """

    def __init__(
        self, pool: Pool, look_up: Statement, cached_caller: CachedCaller, deadline: Deadline
    ) -> None:
        self._pool = pool
        self._look_up = look_up
        self._expected = cached_caller
        self._tenant = cached_caller.caller.organization.id
        self._deadline = deadline
        self.is_verified = False

    def verify(self) -> None:
        """Verify the caller, unless a statement has done so already."""
        if not self.is_verified:
            self._query_verified([])

    def query_all(self, statements: Sequence[Statement]) -> list[Rows]:
        """Do what Pool.query_all does, and verify the caller in the same round trip."""
        if self.is_verified:
            return self._pool.query_all(statements, self._deadline, self._tenant)
        return self._query_verified(statements)

    def _query_verified(self, statements: Sequence[Statement]) -> list[Rows]:
        looked_up, *results = self._pool.query_all(
            [self._look_up, *statements], self._deadline, self._tenant
        )
        if not self._expected.is_current(looked_up):
            raise CallerChanged
        self.is_verified = True
        return results


class ReplicaReads(VerifiedReads):
    """The same with replicas: the caller is verified on the primary first."""

    def __init__(self, replicas: Replicas, *verified: Any) -> None:
        super().__init__(*verified)
        self._replicas = replicas

    def query_all(self, statements: Sequence[Statement]) -> list[Rows]:
        """Do what Pool.query_all does, on the first replica that responds, else on the primary."""
        self.verify()
        for replica in self._replicas.in_turn():
            # An unreachable replica leaves half of the time for the next one.
            share = Deadline(self._deadline.left() / 2)
            try:
                looked_up, *results = replica.pool.query_all(
                    [self._look_up, *statements], share, self._tenant
                )
            except TooLittleTime:
                continue
            except (ServiceUnavailable, ConnectionSilent):
                replica.leave_out()
                continue
            if self._expected.equals(looked_up):
                return results
            break
        return self._query_verified(statements)
