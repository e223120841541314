"""What operators change during the load, through the command line, one change at a time."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from math import inf
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from typing import Any, Generic, TypeVar

import psycopg

from tests.soak import world
from tests.soak.answers import Reader
from tests.soak.world import CHANGING, DELETED, FIRST, GRANTS, SWITCHED, State
from tests.support import factories as make
from tests.support.deployment import Deployment, Result
from tests.support.organizations import Organization

Possible = TypeVar("Possible")
# A key is used during this many changes, and tried during as many after its end.
KEY_CHANGES = 2
EXPIRE = "UPDATE api_keys SET expires_at = now() + interval '0.5 seconds' WHERE id = %s"
EXPIRY_SECONDS = 0.6
EXISTS = "SELECT 1 FROM organizations WHERE organization_id = %s"
RETRY_SECONDS = 0.05


class Timeline(Generic[Possible]):
    """During a change both states are possible, otherwise only the newest.

    One thread changes it; others may read it. Times are those of time.monotonic().
    """

    def __init__(self, state: Possible) -> None:
        # Each state with the times at which it is first and last possible.
        self._spans: list[tuple[Possible, float, float]] = [(state, -inf, inf)]

    @property
    def newest(self) -> Possible:
        return self._spans[-1][0]

    @contextmanager
    def changing(self, state: Possible) -> Iterator[None]:
        """Change to a state during the block."""
        before, begin, _ = self._spans[-1]
        self._spans.append((state, monotonic(), inf))
        yield
        self._spans[-2] = (before, begin, monotonic())

    def possible(self, since: float, until: float) -> list[Possible]:
        """Return the states that a request between these times may meet, newest first."""
        return [
            state for state, begin, end in reversed(self._spans) if begin <= until and end >= since
        ]


@dataclass(frozen=True)
class Holder:
    """A client with a key. grants: what the key may read, a name in GRANTS; None: rejected."""

    marker: str
    key: str
    key_id: str
    grants: Timeline[str | None]

    @property
    def reader(self) -> Reader:
        return Reader(self.marker, self.grants.newest)


class Changes:
    """The states of all organizations and keys. One thread calls `run`; others read.

    may_fail: whether a command between two times of time.monotonic() may have failed; then it is
    repeated.
    """

    def __init__(self, deployment: Deployment, folder: Path) -> None:
        self.may_fail: Callable[[float, float], bool] = lambda *_: False
        self.done: Counter[str] = Counter()
        self.states = {organization.marker: Timeline(FIRST) for organization in world.ALL}
        self._deployment, self._folder = deployment, folder
        # Keys that nobody ends, those of the organization that is deleted, and those that end.
        self.lasting = [self._issue(each, grants) for each in world.ALL for grants in GRANTS]
        self._deleted = [each for each in self.lasting if each.marker == DELETED.marker]
        self.lasting = [each for each in self.lasting if each not in self._deleted]
        self._delegated = {
            each: [self._issue(each, grants, make.ADMIN) for grants in GRANTS] for each in CHANGING
        }
        self._passing: list[Holder] = []
        self._ends = cycle((self.revoke, self._expire))

    def holders(self) -> list[Holder]:
        """Return all keys that clients use."""
        delegated = [each for holders in self._delegated.values() for each in holders]
        return [*self.lasting, *self._deleted, *delegated, *self._passing]

    def run(self, ended: Event, pause: float) -> None:
        """Change one thing after the other until `ended` is set. pause: in seconds.

        Raises:
            AssertionError: a command failed.
        """
        self.done.clear()
        for change in self._changes():
            if ended.wait(pause):
                return
            change()

    def _changes(self) -> Iterator[Callable[[], None]]:
        roles = [partial(self._demote_and_promote, each) for each in CHANGING]
        steps = [self._change_scopes, self._delete_and_load]
        others: Iterator[Callable[[], None]] = cycle([*roles, *steps])
        while True:
            # All begin in the first state, so the first change is a load.
            for state in (*world.STATES[1:], FIRST):
                for organization in CHANGING:
                    yield partial(self.move, organization, state)
                    yield partial(self._turn_over, organization)
                    yield next(others)

    def move(self, organization: Organization, state: State) -> None:
        """Change to a state."""
        timeline = self.states[organization.marker]
        before = timeline.newest
        with timeline.changing(state):
            if before.version != state.version:
                self._load(organization, state.version)
            if before.is_approved and not state.is_approved:
                who = ("--organization", organization.id, "--by", make.OWNER)
                self._command("sources", "withdraw", *who, SWITCHED)
            if state.is_approved and not before.is_approved:
                self._approve(organization, SWITCHED)

    def _issue(self, organization: Organization, grants: str, by: str = make.OWNER) -> Holder:
        who = ("--organization", organization.id, "--by", by)
        options = (*who, *_rights(grants), "--expires-in-days", 7, "--json")
        issued = self._command("keys", "issue", *options).json()
        return Holder(organization.marker, issued["key"], issued["id"], Timeline(grants))

    def revoke(self, holder: Holder) -> None:
        with holder.grants.changing(None):
            self._command("keys", "revoke", holder.key_id, "--by", make.OWNER)

    def _expire(self, holder: Holder) -> None:
        """Let a key expire while it is used."""
        with holder.grants.changing(None):
            self._do("key expires", partial(self._deployment.execute, EXPIRE, [holder.key_id]))
            sleep(EXPIRY_SECONDS)

    def _delete_and_load(self) -> None:
        """Delete an organization and its keys, and load it again with the same answers."""
        with ExitStack() as stack:
            for holder in self._deleted:
                stack.enter_context(holder.grants.changing(None))
            self._do("organizations delete", self._delete)
        self._load(DELETED, FIRST.version)
        self._approve(DELETED, *world.approved(DELETED))
        issued = [self._issue(DELETED, grants) for grants in GRANTS]
        self._deleted = [*self._deleted[-len(GRANTS) :], *issued]

    def _delete(self) -> None:
        # A command that is repeated after a lost answer may have deleted it already.
        if self._deployment.execute(EXISTS, [DELETED.id]):
            who = ("--organization", DELETED.id, "--by", make.OWNER)
            self._deployment.cli("organizations", "delete", *who, "--yes").done()

    def _turn_over(self, organization: Organization) -> None:
        """Issue a key, end the oldest valid key and forget the oldest that has ended."""
        grants = [*GRANTS][self.done["keys issue"] % len(GRANTS)]
        self._passing = [*self._passing, self._issue(organization, grants)][-2 * KEY_CHANGES :]
        if len(self._passing) > KEY_CHANGES:
            next(self._ends)(self._passing[-KEY_CHANGES - 1])

    def _change_scopes(self) -> None:
        """Give the newest key the next rights."""
        holder, names = self._passing[-1], [*GRANTS]
        grants = names[names.index(holder.grants.newest or "") - 1]
        with holder.grants.changing(grants):
            options = (*_rights(grants), "--by", make.OWNER)
            self._command("keys", "change", holder.key_id, *options)

    def _demote_and_promote(self, organization: Organization) -> None:
        """Demote an admin, whose keys are then rejected, and promote the admin again."""
        for role in world.ROLES:
            with ExitStack() as stack:
                for holder, grants in zip(self._delegated[organization], GRANTS, strict=True):
                    granted = grants if role == "admin" else None
                    stack.enter_context(holder.grants.changing(granted))
                self._load(organization, role)

    def _approve(self, organization: Organization, *source_ids: str) -> None:
        approve = partial(self._deployment.approve, organization.id, make.OWNER, *source_ids)
        self._do("sources approve", approve)

    def _load(self, organization: Organization, content: object) -> None:
        self._command("load", world.path(self._folder, organization, content))

    def _command(self, *arguments: object) -> Result:
        name = " ".join(map(str, arguments[: 1 if arguments[0] == "load" else 2]))
        result: Result = self._do(name, lambda: self._deployment.cli(*arguments).done())
        return result

    def _do(self, name: str, change: Callable[[], Any]) -> Any:
        """Make a change, and count it by name."""
        while True:
            began_at = monotonic()
            try:
                result = change()
            except (AssertionError, psycopg.OperationalError):
                if not self.may_fail(began_at, monotonic()):
                    raise
                self.done["repeated"] += 1
                sleep(RETRY_SECONDS)
            else:
                self.done[name] += 1
                return result


def _rights(grants: str) -> tuple[str, ...]:
    scopes, access = GRANTS[grants]
    return ("--access", access, "--scope", ",".join(scopes))
