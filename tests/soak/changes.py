"""What operators change during the load, through the command line, one change at a time."""

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
from tests.soak.expected import Reader
from tests.soak.timeline import Timeline
from tests.soak.world import CHANGING, GRANTS, SWITCHED, State
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.organizations import Organization

# A key is used during this many changes, and tried during as many after its revocation.
KEY_CHANGES = 6


@dataclass(frozen=True)
class KeyHolder:
    """A client with a key. is_valid: the key is not revoked."""

    reader: Reader
    key: str
    key_id: str
    is_valid: Timeline[bool] = field(default_factory=lambda: Timeline(True))


class Changes:
    """The states of all organizations and keys. One thread calls `run`; others read."""

    def __init__(self, deployment: Deployment, folder: Path) -> None:
        self.states = {organization.marker: Timeline(world.FIRST) for organization in world.ALL}
        self.lasting: tuple[KeyHolder, ...] = ()
        self.passing: tuple[KeyHolder, ...] = ()
        self.done: Counter[str] = Counter()
        # Commands run in this process, which is faster, until the load begins.
        self._is_under_load = False
        self._deployment, self._folder = deployment, folder

    def run(self, ended: Event, pause: float) -> None:
        """Change one thing after the other until `ended` is set.

        Raises:
            AssertionError: a command failed.
        """
        self._is_under_load = True
        for change in self._changes():
            if ended.wait(pause):
                return
            change()

    def _changes(self) -> Iterator[Callable[[], None]]:
        while True:
            # All begin in the first state, so the first change is a load.
            for state in (*world.STATES[1:], world.FIRST):
                for organization in CHANGING:
                    yield partial(self.move, organization, state)
                    yield partial(self._turn_over, organization)

    def move(self, organization: Organization, state: State) -> None:
        """Change to a state that differs from the newest in at most one member."""
        timeline = self.states[organization.marker]
        if timeline.newest == state:
            return
        if timeline.newest.version != state.version:
            command = ["load", str(world.path(self._folder, organization, state.version))]
        else:
            what = "approve" if state.is_approved else "withdraw"
            who = ["--organization", organization.id, "--by", make.OWNER]
            command = ["sources", what, *who, SWITCHED]
        with timeline.changing(state):
            self._command(*command)

    def issue(self, organization: Organization, grants: str) -> KeyHolder:
        scopes, access = GRANTS[grants]
        who = ("--organization", organization.id, "--by", make.OWNER)
        what = ("--access", access, "--scope", ",".join(scopes), "--expires-in-days", "7")
        issued = json.loads(self._command("keys", "issue", *who, *what, "--json"))
        return KeyHolder(Reader(organization.marker, grants), issued["key"], issued["id"])

    def revoke(self, holder: KeyHolder) -> None:
        with holder.is_valid.changing(False):
            self._command("keys", "revoke", holder.key_id, "--by", make.OWNER)

    def _turn_over(self, organization: Organization) -> None:
        """Issue a key, revoke the oldest valid key and forget the oldest revoked one."""
        grants = [*GRANTS][self.done["keys issue"] % len(GRANTS)]
        self.passing = (*self.passing, self.issue(organization, grants))[-2 * KEY_CHANGES :]
        if len(self.passing) > KEY_CHANGES:
            self.revoke(self.passing[-KEY_CHANGES - 1])

    def _command(self, *arguments: str) -> str:
        name = " ".join(arguments[: 1 if arguments[0] == "load" else 2])
        if self._is_under_load:
            process = self._deployment.process(*arguments)
            output, errors = process.communicate()
            code = process.returncode
        else:
            code, output, errors = self._deployment.cli(*arguments)
        assert code == 0, f"orgctx {name}: {errors}"
        self.done[name] += 1
        return output


def lasting_keys(changes: Changes, deployment: Deployment) -> dict[Reader, KeyHolder]:
    """Issue the keys that stay valid, one for each organization and grant."""
    holders: dict[Reader, KeyHolder] = {}
    for organization in world.ALL:
        for grants, (scopes, access) in GRANTS.items():
            key: Any = deployment.issue_key(organization.id, make.OWNER, scopes, access)
            reader = Reader(organization.marker, grants)
            holders[reader] = KeyHolder(reader, key, "")
    changes.lasting = tuple(holders.values())
    return holders
