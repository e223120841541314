"""Cache callers between requests, and verify in each request that nothing has changed.

A request of a cached caller is charged at once, and its key look-up is sent with its first
statement. The results are used only if the look-up's rows equal the cached rows, byte for byte and
in any order. So every response is preceded by a look-up in the same request. A caller that was just
looked up is verified in the same way, because the body may arrive or a connection become free much
later.

A replica may lack the newest decisions (a revoked key, a withdrawn approval, a suppressed item) and
the newest load. So it repeats the look-up in the snapshot in which it reads the data; if the rows
differ, the request is answered from the primary (docs/decisions.md, 14). Independent
of HTTP.
"""

from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple
from uuid import UUID

from orgctx.errors import ServiceUnavailable
from orgctx.operations.exposure import Caller
from orgctx.stores.connection import ConnectionSilent, RawRows, TooLittleTime
from orgctx.stores.db import Rows, Statement, reads_decisions
from orgctx.stores.deadline import Deadline
from orgctx.stores.pool import Pool
from orgctx.stores.quota import Quota
from orgctx.stores.replicas import Replicas

MOST_BYTES = 16 * 2**20
# Bytes of memory for the Python objects of one row, without the characters of its texts.
ROW_BYTES = 1_200


class CachedCaller(NamedTuple):
    """The result of a look-up. limits: requests per minute of the key, and of its organization."""

    rows: RawRows
    caller: Caller
    access: str
    limits: tuple[int, int]

    def size(self) -> int:
        """About how many bytes of memory it takes."""
        # A text is stored twice: as bytes, and as a value of the caller.
        return sum(ROW_BYTES + 2 * sum(len(value or b"") for value in row) for row in self.rows)


class CallerCache:
    """The callers of one process by the hash of their key; evicts the least recently used."""

    def __init__(self, max_bytes: int = MOST_BYTES) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
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
            size = caller.size()
            if size > self._max_bytes:
                return
            self._callers[key_hash] = caller
            self._bytes += size
            while self._bytes > self._max_bytes:
                self._remove(next(iter(self._callers)))

    def remove(self, key_hash: bytes) -> None:
        """Remove a caller, so that its key is looked up before it is charged."""
        with self._mutex:
            self._remove(key_hash)

    def _remove(self, key_hash: bytes) -> None:
        caller = self._callers.pop(key_hash, None)
        if caller is not None:
            self._bytes -= caller.size()


class CallerChanged(BaseException):
    """The key's caller has changed, so no response made for the old caller may be sent.

    Not an Exception, so that no handler turns it into a response.
    """


class Verification:
    """The stores of one request; the look-up of its caller is sent with the first statement.

    Every method raises CallerChanged if the rows of the look-up differ from the cached rows.
    """

    def __init__(
        self,
        pool: Pool,
        quota: Quota,
        look_up: Statement,
        cached_caller: CachedCaller,
        deadline: Deadline,
    ) -> None:
        self._pool = pool
        self._quota = quota
        self._look_up = look_up
        self._expected = cached_caller.rows
        self._tenant = cached_caller.caller.organization.id
        self._deadline = deadline
        self.is_verified = False

    @property
    def read_pool(self) -> "Verification":
        return self

    @property
    def quota(self) -> Quota:
        """The quota, after the caller was verified."""
        self.verify()
        return self._quota

    def verify(self) -> None:
        """Verify the caller, unless a statement has done so already."""
        if not self.is_verified:
            self.query_all([], self._deadline, self._tenant)

    def query_all(
        self, statements: Sequence[Statement], deadline: Deadline, tenant: UUID | None = None
    ) -> list[Rows]:
        """Do what Pool.query_all does, and verify the caller in the same round trip."""
        if self.is_verified:
            return self._pool.query_all(statements, deadline, tenant)
        result = self._pool.look_up(self._look_up, self._expected, statements, deadline, tenant)
        if result.rows is not None:
            raise CallerChanged
        self.is_verified = True
        return result.results


class ReplicaReads:
    """The stores of one request. rows: the rows of its look-up on the primary."""

    def __init__(
        self,
        primary: Pool,
        replicas: Replicas,
        quota: Quota,
        look_up: Statement,
        rows: RawRows,
    ) -> None:
        self._primary = primary
        self._replicas = replicas
        self.quota = quota
        self._look_up = look_up
        self._expected = rows

    @property
    def read_pool(self) -> "ReplicaReads":
        return self

    def query_all(
        self, statements: Sequence[Statement], deadline: Deadline, tenant: UUID | None = None
    ) -> list[Rows]:
        """Do what Pool.query_all does, on the first replica that responds, else on the primary."""
        replicas = self._replicas.in_turn()
        digests = self._digests(statements) if replicas else []
        expected = self._primary.query_all(digests, deadline, tenant) if digests else []
        for replica in replicas:
            # An unreachable replica leaves half of the time for the next one.
            share = Deadline(deadline.left() / 2)
            try:
                # Empty if the look-up's rows differ.
                results = replica.pool.look_up(
                    self._look_up, self._expected, [*digests, *statements], share, tenant
                ).results
            except TooLittleTime:
                continue
            except (ServiceUnavailable, ConnectionSilent):
                replica.leave_out()
                continue
            if results[: len(digests)] == expected and results:
                return results[len(digests) :]
            break
        return self._primary.query_all(statements, deadline, tenant)

    @staticmethod
    def _digests(statements: Sequence[Statement]) -> list[Statement]:
        """Return the statements, besides the look-up, whose rows must be equal on the primary."""
        deciding = [parameters for name, parameters in statements if reads_decisions(name)]
        return [("gate/digest_suppressions", parameters) for parameters in deciding[:1]]
