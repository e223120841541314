"""Before the load, take every answer of every state at rest and look at it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from redis import Redis

from tests.soak import world
from tests.soak.asks import Ask
from tests.soak.changes import Changes, Holder
from tests.soak.plain import Plain
from tests.soak.right import Right, Whose, markers
from tests.soak.wire import Connection
from tests.soak.world import ALL, CHANGING, GRANTS, STATES, State
from tests.support.organizations import HIDDEN, Organization


@dataclass
class Lesson:
    """answers: taken. lists: of them, those that the plain model confirmed."""

    connection: Connection
    redis: Redis
    right: Right
    asks: Sequence[Ask]
    holders: dict[Whose, Holder]
    answers: int = 0
    lists: int = 0

    def learn_all(self, changes: Changes) -> None:
        """Learn the answers of each state in turn, and end in the first state."""
        for one in ALL:
            for state in (*STATES, world.FIRST) if one in CHANGING else [world.FIRST]:
                changes.move(one, state)
                for grants in GRANTS:
                    self._learn(one, state, grants)
        self._learn_refusals(changes)
        self.redis.flushdb()

    def _learn(self, one: Organization, state: State, grants: str) -> None:
        whose = Whose(one.marker, grants)
        plain = Plain(one, state, grants) if one in CHANGING else None
        foreign = [other.marker for other in ALL if other is not one] + [HIDDEN]
        for ask in self.asks:
            if one is world.ORDINARY:
                self.redis.flushdb()
            reply = self.connection.exchange(ask.request(self.holders[whose].key))
            assert reply.status < 500, (ask, reply)
            assert reply.status != 429, ask
            # Links repeat what was asked for.
            headers = [value for name, value in reply.headers.items() if name != b"link"]
            assert not markers(chain([reply.body], headers), foreign), (whose, ask, reply)
            holds = plain.holds(ask, reply) if plain else None
            assert holds is not False, (whose, state, ask, reply.body)
            self.lists += holds is True
            self.answers += 1
            self.right.learn(whose, state, ask, reply)

    def _learn_refusals(self, changes: Changes) -> None:
        holder = changes.issue(CHANGING[0], "everything")
        changes.revoke(holder)
        for ask in self.asks:
            self.right.learn_refusal(ask, self.connection.exchange(ask.request(holder.key)))
