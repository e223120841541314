"""Read data from a replica that agrees with the primary about the caller.

A replica may lack the newest decisions (a revoked key, a withdrawn approval, a suppressed item)
and the newest load. So it repeats the look-up in the snapshot in which it reads the data. The data
are used only if the look-up's rows equal the primary's, byte for byte. Otherwise the request is
answered from the primary (docs/decisions/0014-read-replicas.md). Independent of HTTP.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from orgctx.errors import ServiceUnavailable
from orgctx.stores.connection import ConnectionSilent, RawRows, TooLittleTime
from orgctx.stores.db import Rows, Statement, reads_decisions
from orgctx.stores.deadline import Deadline
from orgctx.stores.pool import Pool
from orgctx.stores.quota import Quota
from orgctx.stores.replicas import Replica, Replicas


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
    def read_pool(self) -> ReplicaReads:
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
                results = self._query(replica, [*digests, *statements], share, tenant)
            except TooLittleTime:
                continue
            except (ServiceUnavailable, ConnectionSilent):
                replica.leave_out()
                continue
            if results[: len(digests)] == expected and results:
                return results[len(digests) :]
            break
        return self._primary.query_all(statements, deadline, tenant)

    def _query(
        self,
        replica: Replica,
        statements: Sequence[Statement],
        deadline: Deadline,
        tenant: UUID | None,
    ) -> list[Rows]:
        """Return the results; empty if the look-up's rows differ."""
        return replica.pool.look_up(
            self._look_up, self._expected, statements, deadline, tenant
        ).results

    @staticmethod
    def _digests(statements: Sequence[Statement]) -> list[Statement]:
        """Return the statements, besides the look-up, whose rows must be equal on the primary."""
        deciding = [parameters for name, parameters in statements if reads_decisions(name)]
        return [("replicas/digest_suppressions", parameters) for parameters in deciding[:1]]
