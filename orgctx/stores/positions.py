"""How far servers have come in the write-ahead log, and so how old a replica's data may be.

A replica does not know how old it is: the time of its last commit also grows while nobody writes,
or during one long load. So the primary's position is noted over time, and a replica's position
is found in these notes. Clocks of servers are not compared.
"""

from __future__ import annotations

from collections import deque
from datetime import datetime
from math import inf
from time import monotonic
from typing import NamedTuple

from orgctx.stores.db import Pool
from orgctx.stores.deadline import Deadline

# A server that takes longer to say where it is does not answer.
ASK_SECONDS = 1.0
# What a replica lacks for longer than these notes reach back is unknown.
MOST_NOTES = 1000


class Position(NamedTuple):
    """The row of sql/replicas/read_position."""

    cluster: int
    database: int
    started_at: datetime
    is_replica: bool
    bytes: int

    def serves_for(self, primary: Position) -> bool:
        """Whether it is that server, or a replica of its cluster, and in the same database.

        A former primary that still writes is of the cluster too, but has another history.
        """
        is_same = self.started_at == primary.started_at
        return (self.cluster, self.database) == (primary.cluster, primary.database) and (
            self.is_replica or is_same
        )


def ask(server: Pool) -> Position:
    """Where a server is now. Raises ApiError or psycopg.Error."""
    return Position(*server.query("replicas/read_position", {}, Deadline(ASK_SECONDS)).rows[0])


class Trail:
    """Where the primary was over time."""

    def __init__(self) -> None:
        self._notes: deque[tuple[float, Position]] = deque(maxlen=MOST_NOTES)

    def follow(self, primary: Pool) -> None:
        """Note where the primary is now. Raises ApiError or psycopg.Error."""
        asked_at = monotonic()
        self.note(asked_at, ask(primary))

    def note(self, asked_at: float, position: Position) -> None:
        """Note where the primary was. asked_at: in monotonic seconds, before it was asked."""
        if self._notes and position.bytes < self._notes[-1][1].bytes:
            # Another server took over, which lacks the end of the former one's log.
            self._notes.clear()
        self._notes.append((asked_at, position))

    def complete_until(self, server: Position) -> float:
        """The time, in monotonic seconds, until which a server has all writes; -inf if unknown."""
        if not self._notes or not server.serves_for(self._notes[-1][1]):
            return -inf
        reached = (at for at, primary in reversed(self._notes) if primary.bytes <= server.bytes)
        return next(reached, -inf)
