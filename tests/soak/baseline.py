"""Take every answer of every state before the load, and check it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

from tests.soak import world
from tests.soak.changes import Changes, KeyHolder
from tests.soak.expected import Expected, Reader
from tests.soak.requests import Request
from tests.soak.wire import Connection
from tests.soak.world import ALL, CHANGING, GRANTS, State
from tests.support.organizations import HIDDEN, Organization


@dataclass
class Baseline:
    """Takes the answers.

    reset_quotas: forgets all counters. learned_count: answers taken.
    """

    connection: Connection
    reset_quotas: Callable[[], object]
    expected: Expected
    requests: Sequence[Request]
    holders: dict[Reader, KeyHolder]
    learned_count: int = 0

    def learn_all(self, changes: Changes) -> None:
        """Learn the answers of each state in turn, and end in the first state."""
        for organization in ALL:
            for state in world.states(organization):
                changes.move(organization, state)
                for grants in GRANTS:
                    self._learn(organization, state, grants)
        self._learn_revoked(changes)
        self.reset_quotas()

    def _learn(self, organization: Organization, state: State, grants: str) -> None:
        reader = Reader(organization.marker, grants)
        foreign = [each.marker for each in ALL if each is not organization] + [HIDDEN]
        for request in self.requests:
            if organization is world.ORDINARY:
                self.reset_quotas()
            reply = self.connection.exchange(request.encode(self.holders[reader].key))
            assert reply.status != 429, request
            # Link headers repeat the arguments of the request.
            headers = [value for name, value in reply.headers.items() if name != b"link"]
            leaks = [word for word in foreign for text in chain([reply.body], headers)
                     if word.encode() in text]  # fmt: skip
            assert not leaks, (reader, request, reply)
            self.learned_count += 1
            self.expected.learn(reader, state, request, reply)

    def _learn_revoked(self, changes: Changes) -> None:
        holder = changes.issue(CHANGING[0], "everything")
        changes.revoke(holder)
        for request in self.requests:
            reply = self.connection.exchange(request.encode(holder.key))
            self.expected.learn_revoked(request, reply)
