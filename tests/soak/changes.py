"""What operators change during the load, through the command line, one change at a time."""

import json
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

from tests.soak import world
from tests.soak.expected import Reader
from tests.soak.world import CHANGING, DELETED, GRANTS, SWITCHED, UPGRADED, State
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.organizations import Organization

T = TypeVar("T")
Possible = TypeVar("Possible")
# A key is used during this many changes, and tried during as many after its end.
KEY_CHANGES = 6
EXPIRE = "UPDATE api_keys SET expires_at = now() + interval '0.5 seconds' WHERE id = %s"
EXPIRY_SECONDS = 0.6
EXISTS = "SELECT 1 FROM organizations WHERE organization_id = %s"


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
class KeyHolder:
    """A client with a key. grants: what the key may read, a name in GRANTS; None: rejected."""

    marker: str
    key: str
    key_id: str
    grants: Timeline[str | None]

    @property
    def reader(self) -> Reader | None:
        grants = self.grants.newest
        return Reader(self.marker, grants) if grants else None


class Changes:
    """The states of all organizations and keys. One thread calls `run`; others read."""

    def __init__(
        self, deployment: Deployment, folder: Path, key_changes: int = KEY_CHANGES
    ) -> None:
        self.states = {organization.marker: Timeline(world.FIRST) for organization in world.ALL}
        # Whether the keys of an organization have the limits of the ordinary plan.
        self.is_limited = {each.marker: Timeline(each is world.ORDINARY) for each in world.ALL}
        self.lasting: tuple[KeyHolder, ...] = ()
        self.passing: tuple[KeyHolder, ...] = ()
        # Keys of the organization that is deleted.
        self.deleted: tuple[KeyHolder, ...] = ()
        # Keys that an admin issued.
        self.delegated: dict[str, list[KeyHolder]] = {each.marker: [] for each in CHANGING}
        self.done: Counter[str] = Counter()
        self._has_processes = False
        self._deployment, self._folder, self._key_changes = deployment, folder, key_changes
        self._ends = cycle((self.revoke, self.expire))

    def run(self, ended: Event, pause: float, has_processes: bool = True) -> None:
        """Change one thing after the other until `ended` is set.

        has_processes: False runs the commands in this process, which is faster.

        Raises:
            AssertionError: a command failed.
        """
        self._has_processes = has_processes
        for change in self._changes():
            if ended.wait(pause):
                return
            change()

    def _changes(self) -> Iterator[Callable[[], None]]:
        others = cycle(self._other_changes())
        while True:
            # All begin in the first state, so the first change is a load.
            for state in (*world.STATES[1:], world.FIRST):
                for organization in CHANGING:
                    yield partial(self.move, organization, state)
                    yield partial(self._turn_over, organization)
                    yield next(others)

    def _other_changes(self) -> Iterator[Callable[[], None]]:
        for organization in CHANGING:
            yield partial(self._demote_and_promote, organization)
            yield partial(self._change_plan, "standard")
            yield partial(self._change_scopes)
            yield partial(self._change_plan, "pro")
            yield self.delete_and_load

    def move(self, organization: Organization, state: State) -> None:
        """Change to a state that differs from the newest in at most one member."""
        timeline = self.states[organization.marker]
        if timeline.newest == state:
            return
        is_load = timeline.newest.version != state.version
        with timeline.changing(state):
            if is_load:
                self._load(organization, state.version)
            else:
                what = "approve" if state.is_approved else "withdraw"
                who = ["--organization", organization.id, "--by", make.OWNER]
                self._command("sources", what, *who, SWITCHED)

    def issue(self, organization: Organization, grants: str, issuer: str = make.OWNER) -> KeyHolder:
        who = ("--organization", organization.id, "--by", issuer)
        options = (*who, *_rights(grants), "--expires-in-days", "7", "--json")
        issued = json.loads(self._command("keys", "issue", *options))
        return KeyHolder(organization.marker, issued["key"], issued["id"], Timeline(grants))

    def revoke(self, holder: KeyHolder) -> None:
        with holder.grants.changing(None):
            self._command("keys", "revoke", holder.key_id, "--by", make.OWNER)

    def expire(self, holder: KeyHolder) -> None:
        """Let a key expire while it is used."""
        with holder.grants.changing(None):
            self._do("key expires", partial(self._deployment.execute, EXPIRE, [holder.key_id]))
            sleep(EXPIRY_SECONDS)

    def issue_lasting(self) -> dict[Reader, KeyHolder]:
        """Issue the keys that nobody ends, one for each organization and grant."""
        holders = [self.issue(each, grants) for each in world.ALL for grants in GRANTS]
        self.deleted = tuple(each for each in holders if each.marker == DELETED.marker)
        self.lasting = tuple(each for each in holders if each not in self.deleted)
        for organization in CHANGING:
            issued = [self.issue(organization, grants, make.ADMIN) for grants in GRANTS]
            self.delegated[organization.marker] = issued
            self.lasting += tuple(issued)
        return {each.reader: each for each in holders if each.reader}

    def delete_and_load(self) -> None:
        """Delete an organization and its keys, and load it again with the same answers."""
        states = self.states[DELETED.marker]
        with ExitStack() as stack:
            stack.enter_context(states.changing(world.GONE))
            for holder in self.deleted:
                stack.enter_context(holder.grants.changing(None))
            self._do("organizations delete", partial(self._delete, DELETED))
        with states.changing(world.FIRST):
            self._load(DELETED, world.FIRST.version)
            who = ("--organization", DELETED.id, "--by", make.OWNER)
            self._command("sources", "approve", *who, *world.approved(DELETED))
        issued = tuple(self.issue(DELETED, grants) for grants in GRANTS)
        self.deleted = (*self.deleted[-len(GRANTS) :], *issued)

    def _turn_over(self, organization: Organization) -> None:
        """Issue a key, end the oldest valid key and forget the oldest that has ended."""
        grants = [*GRANTS][self.done["keys issue"] % len(GRANTS)]
        count = self._key_changes
        self.passing = (*self.passing, self.issue(organization, grants))[-2 * count :]
        if len(self.passing) > count:
            next(self._ends)(self.passing[-count - 1])

    def _change_scopes(self) -> None:
        """Give the newest key the next rights."""
        holder = self.passing[-1]
        names = [*GRANTS]
        grants = names[(names.index(holder.grants.newest or names[0]) + 1) % len(names)]
        with holder.grants.changing(grants):
            options = (*_rights(grants), "--by", make.OWNER, "--yes")
            self._command("keys", "change", holder.key_id, *options)

    def _demote_and_promote(self, organization: Organization) -> None:
        """Demote an admin, whose keys are then rejected, and promote the admin again."""
        holders = self.delegated[organization.marker]
        grants = [each.grants.newest for each in holders]
        for role in world.ROLES:
            with ExitStack() as stack:
                for holder, name in zip(holders, grants, strict=True):
                    is_valid = role == "admin"
                    stack.enter_context(holder.grants.changing(name if is_valid else None))
                self._load(organization, role)

    def _change_plan(self, plan: str) -> None:
        with self.is_limited[UPGRADED.marker].changing(plan == "standard"):
            self._load(UPGRADED, plan)

    def _delete(self, organization: Organization) -> None:
        # A command that is repeated after a lost answer may have deleted it already.
        if self._deployment.execute(EXISTS, [organization.id]):
            who = ("--organization", organization.id, "--by", make.OWNER)
            self._run("organizations", "delete", *who, "--yes")

    def _load(self, organization: Organization, content: object) -> None:
        self._command("load", str(world.path(self._folder, organization, content)))

    def _command(self, *arguments: str) -> str:
        name = " ".join(arguments[: 1 if arguments[0] == "load" else 2])
        return self._do(name, partial(self._run, *arguments))

    def _run(self, *arguments: str) -> str:
        if self._has_processes:
            process = self._deployment.process(*arguments)
            output, errors = process.communicate()
            code = process.returncode
        else:
            code, output, errors = self._deployment.cli(*arguments)
        assert code == 0, f"orgctx {arguments}: {errors}"
        return output

    def _do(self, name: str, change: Callable[[], T]) -> T:
        """Make a change, and count it by name."""
        result = change()
        self.done[name] += 1
        return result


def _rights(grants: str) -> tuple[Any, ...]:
    scopes, access = GRANTS[grants]
    return ("--access", access, "--scope", ",".join(scopes))
