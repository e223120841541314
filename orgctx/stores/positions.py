"""Positions of servers in the write-ahead log, and so the maximum age of a replica's data.

A replica cannot report its own lag: the age of its last commit also grows while nobody writes, or
during one long load. So the primary's position is recorded over time, and a replica's position is
looked up in this history. Clocks of servers are not compared.
"""

from __future__ import annotations

from collections import deque
from datetime import datetime
from math import inf
from time import monotonic
from typing import NamedTuple

from orgctx.stores.deadline import Deadline
from orgctx.stores.pool import Pool

# A server that takes longer to report its position is unreachable.
ASK_SECONDS = 1.0
# The lag of a replica that is older than this history is unknown.
MAX_HISTORY = 1000


class Position(NamedTuple):
    """The row of sql/replicas/read_position."""

    cluster: int
    database: int
    started_at: datetime
    is_replica: bool
    bytes: int

    def serves_for(self, primary: Position) -> bool:
        """Return whether it is that server, or a replica of its cluster, with the same database.

        A former primary that still accepts writes belongs to the cluster but has another history.
        """
        is_same = self.started_at == primary.started_at
        return (self.cluster, self.database) == (primary.cluster, primary.database) and (
            self.is_replica or is_same
        )


def read_position(server: Pool) -> Position:
    """Return the current position of a server. Raises ApiError or psycopg.Error."""
    return Position(*server.query("replicas/read_position", {}, Deadline(ASK_SECONDS)).rows[0])


class PositionHistory:
    """The positions of the primary over time."""

    def __init__(self) -> None:
        self._positions: deque[tuple[float, Position]] = deque(maxlen=MAX_HISTORY)

    def update(self, primary: Pool) -> None:
        """Record the current position of the primary. Raises ApiError or psycopg.Error."""
        read_at = monotonic()
        self.add(read_at, read_position(primary))

    def add(self, read_at: float, position: Position) -> None:
        """Record a position of the primary. read_at: monotonic seconds, before it was read."""
        if self._positions and position.bytes < self._positions[-1][1].bytes:
            # Another server took over, which lacks the end of the former primary's log.
            self._positions.clear()
        self._positions.append((read_at, position))

    def complete_until(self, server: Position) -> float:
        """Return until when, in monotonic seconds, a server has all writes; -inf if unknown."""
        if not self._positions or not server.serves_for(self._positions[-1][1]):
            return -inf
        times = (
            read_at
            for read_at, primary in reversed(self._positions)
            if primary.bytes <= server.bytes
        )
        return next(times, -inf)
