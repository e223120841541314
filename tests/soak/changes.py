"""What operators do meanwhile, through the command line, one thing after the other."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

from tests.soak import world
from tests.soak.right import Whose
from tests.soak.timeline import Timeline
from tests.soak.world import CHANGING, GRANTS, SWITCHED, State
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.organizations import Organization

# A key is used during this many changes, and still tried during as many after its revocation.
LIFE = 6


@dataclass(frozen=True)
class Holder:
    """Somebody with a key. is_good: whether it may be used."""

    whose: Whose
    key: str
    key_id: str
    is_good: Timeline[bool] = field(default_factory=lambda: Timeline(True))


class Changes:
    """The states of all organizations and keys. One thread runs `run`; others read."""

    def __init__(self, deployment: Deployment, folder: Path) -> None:
        self.states = {one.marker: Timeline(world.FIRST) for one in world.ALL}
        self.lasting: tuple[Holder, ...] = ()
        self.passing: tuple[Holder, ...] = ()
        self.done: Counter[str] = Counter()
        self.under_way = ""
        # Commands run in this process, which is faster, until others of its threads work.
        self._is_at_rest = True
        self._deployment, self._folder = deployment, folder

    def run(self, ended: Event, pause: float) -> None:
        """Change one thing after the other until it is ended; raises where a command fails."""
        self._is_at_rest = False
        for change in self._changes():
            if ended.wait(pause):
                return
            change()

    def _changes(self) -> Iterator[Callable[[], None]]:
        while True:
            # They begin in the first state, so the first change is a load.
            for state in (*world.STATES[1:], world.FIRST):
                for one in CHANGING:
                    yield partial(self.move, one, state)
                    yield partial(self._turn_over, one)

    def move(self, one: Organization, state: State) -> None:
        """Change to a state that differs from the present one in at most one member."""
        timeline = self.states[one.marker]
        if timeline.newest == state:
            return
        if timeline.newest.version != state.version:
            command = ["load", str(world.path(self._folder, one, state.version))]
        else:
            what = "approve" if state.is_approved else "withdraw"
            who = ["--organization", one.id, "--by", make.OWNER]
            command = ["sources", what, *who, SWITCHED]
        with timeline.changing(state):
            self._command(*command)

    def issue(self, one: Organization, grants: str) -> Holder:
        scopes, access = GRANTS[grants]
        who = ("--organization", one.id, "--by", make.OWNER)
        what = ("--access", access, "--scope", ",".join(scopes), "--expires-in-days", "7")
        issued = json.loads(self._command("keys", "issue", *who, *what, "--json"))
        return Holder(Whose(one.marker, grants), issued["key"], issued["id"])

    def revoke(self, holder: Holder) -> None:
        with holder.is_good.changing(False):
            self._command("keys", "revoke", holder.key_id, "--by", make.OWNER)

    def _turn_over(self, one: Organization) -> None:
        """Issue a key, revoke the oldest good one and forget the oldest bad one."""
        grants = [*GRANTS][self.done["keys issue"] % len(GRANTS)]
        self.passing = (*self.passing, self.issue(one, grants))[-2 * LIFE :]
        if len(self.passing) > LIFE:
            self.revoke(self.passing[-LIFE - 1])

    def _command(self, *arguments: str) -> str:
        name = " ".join(arguments[: 1 if arguments[0] == "load" else 2])
        self.under_way = name
        if self._is_at_rest:
            code, output, errors = self._deployment.cli(*arguments)
        else:
            process = self._deployment.process(*arguments)
            output, errors = process.communicate()
            code = process.returncode
        assert code == 0, f"orgctx {name}: {errors}"
        self.done[name] += 1
        self.under_way = ""
        return output


def at_rest(changes: Changes, deployment: Deployment) -> dict[Whose, Holder]:
    """The keys that stay good, one for each organization and grant; this process issues them."""
    found: dict[Whose, Holder] = {}
    for one in world.ALL:
        for grants, (scopes, access) in GRANTS.items():
            key: Any = deployment.issue_key(one.id, make.OWNER, scopes, access)
            found[Whose(one.marker, grants)] = Holder(Whose(one.marker, grants), key, "")
    changes.lasting = tuple(found.values())
    return found
