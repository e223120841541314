"""An older backup replaces the database while tenants read: everything is as it was then."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from tests.cli.test_restored import run_program
from tests.mcp.endpoint import call
from tests.soak.timeline import Timeline
from tests.support import citus
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.organizations import ALL, AMBER, BASALT, DUSK, FLINT, SUPPRESSED
from tests.support.service import Answer, Running, serve
from tests.support.traffic import steady
from tests.support.waiting import until

pytestmark = pytest.mark.thorough

PATHS = (f"/api/v1/knowledge/{SUPPRESSED}", "/api/v1/sources", "/api/v1/search?q=content")
UNAVAILABLE = {503, 504}
KILL = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = %s AND pid <> pg_backend_pid()
"""


class Ask(NamedTuple):
    """A request. path: of REST; empty for a tool call."""

    name: str
    key: str
    marker: str
    path: str = ""

    def send(self, running: Running) -> Answer:
        if self.path:
            return running.get(self.path, self.key)
        return running.post(call("read_knowledge", {"id": SUPPRESSED}), self.key)


def comparable(answer: Answer) -> tuple[int, Any]:
    body = answer.body.get("result", answer.body) if isinstance(answer.body, dict) else answer.body
    text = str(body.get("structuredContent") or body.get("data")) if body else ""
    return answer.status, text


@dataclass
class Tenants:
    """Sends each request in turn, and checks it against the states that are possible."""

    running: Running
    asks: list[Ask]
    state: Timeline[str] = field(default_factory=lambda: Timeline("backup"))
    expected: dict[tuple[str, str], Any] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[object] = field(default_factory=list)

    def learn(self, *states: str) -> None:
        for ask in self.asks:
            answer = comparable(ask.send(self.running))
            self.expected |= {(state, ask.name): answer for state in states}

    def send(self) -> None:
        for ask in self.asks:
            began = monotonic()
            answer = ask.send(self.running)
            states = self.state.possible(began, monotonic())
            seen = comparable(answer)
            self.counts[str(answer.status)] += 1
            foreign = [each.marker for each in ALL if each.marker != ask.marker]
            if any(word in str(answer.body) for word in foreign):
                self.wrong.append(("foreign", ask, seen))
            if answer.status in UNAVAILABLE or "service_unavailable" in str(answer.body):
                if len(states) == 1:
                    self.wrong.append(("unavailable", ask, states))
            # The changes are several, and each of them shows.
            elif set(states) != {"backup", "changed"} and (
                seen not in [self.expected[state, ask.name] for state in states]
            ):
                self.wrong.append((ask, states, seen))


def succeed(deployment: Deployment, *command: object) -> None:
    result = deployment.cli(*command)
    assert result.exit_code == 0, result.stderr


def change(deployment: Deployment, key: str) -> None:
    """Suppress a document, revoke a key, demote an admin and delete an organization."""
    who = ("--organization", AMBER.id, "--by", make.OWNER)
    succeed(deployment, "knowledge", "suppress", *who, SUPPRESSED)
    listed = deployment.cli("keys", "list", "--organization", AMBER.id, "--json").json()
    (key_id,) = [row["id"] for row in listed if key.startswith(row["hint"])]
    succeed(deployment, "keys", "revoke", key_id, "--by", make.OWNER)
    deployment.load([make.member(make.ADMIN, "member", organization_id=DUSK.id)])
    flint = ("--organization", FLINT.id, "--by", make.OWNER)
    succeed(deployment, "organizations", "delete", *flint, "--yes")


def swap(database_url: str, restored_url: str) -> None:
    """Give the restored database the name of the other one, whose connections are closed."""
    name, restored = (str(conninfo_to_dict(url)["dbname"]) for url in (database_url, restored_url))
    with psycopg.connect(make_conninfo(database_url, dbname="postgres"), autocommit=True) as admin:

        def run(statement: str, *names: str) -> None:
            admin.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))

        run("ALTER DATABASE {} ALLOW_CONNECTIONS false", name)
        for each in (name, restored):
            admin.execute(KILL, [each])
        until(
            partial(_is_done, partial(run, "ALTER DATABASE {} RENAME TO {}", name, f"{name}_old"))
        )
        run("ALTER DATABASE {} RENAME TO {}", restored, name)
        run("DROP DATABASE {} WITH (FORCE)", f"{name}_old")


def _is_done(action: Callable[[], None]) -> bool:
    try:
        action()
    except psycopg.errors.ObjectInUse:
        return False
    return True


@citus.impossible("a dump needs Citus where it is restored")
def test_older_backup_is_restored_while_tenants_read(tenants: Deployment, tmp_path: Path) -> None:
    amber, revoked, basalt = (
        tenants.issue_key(id_, make.OWNER) for id_ in (AMBER.id, AMBER.id, BASALT.id)
    )
    demoted = tenants.issue_key(DUSK.id, make.ADMIN)
    deleted = tenants.issue_key(FLINT.id, make.OWNER)
    keys = {
        "reads": (amber, AMBER), "revoked": (revoked, AMBER), "neighbor": (basalt, BASALT),
        "demoted": (demoted, DUSK), "deleted": (deleted, FLINT),
    }  # fmt: skip
    asks = [
        Ask(f"{name} {path}", key, organization.marker, path)
        for name, (key, organization) in keys.items()
        for path in (*PATHS, "")
    ]
    url = tenants.database_url
    name = f"{conninfo_to_dict(url)['dbname']}_restored"
    restored_url = make_conninfo(url, dbname=name)
    with serve(tenants) as running:
        reading = Tenants(running, asks)
        reading.learn("backup", "restored")
        assert run_program("pg_dump", "-Fc", "-f", tmp_path / "dump", "-d", url) == 0
        with steady(reading.send, 3):
            with reading.state.changing("changed"):
                change(tenants, revoked)
                reading.learn("changed")
            for _ in range(3):
                reading.send()
            tenants.execute(f"CREATE DATABASE {name} TEMPLATE template0")
            assert run_program("pg_restore", "-d", restored_url, tmp_path / "dump") == 0
            succeed(Deployment(restored_url, tenants.redis_url), "migrate")
            with reading.state.changing("restored"):
                swap(url, restored_url)
                until(lambda: running.get("/readyz").status == 200)
            seen = reading.counts.total()
            until(lambda: reading.counts.total() > seen + 3 * len(asks))
    print(dict(reading.counts))
    assert reading.wrong[:3] == []
    for key in keys:
        before, after = (
            reading.expected[state, f"{key} {PATHS[1]}"] for state in ("backup", "changed")
        )
        assert before[0] == 200
        assert after[0] == (200 if key in ("reads", "neighbor") else 401)
    # The suppression came after the backup, so the document can be read again.
    suppressed = [
        reading.expected[state, f"reads {PATHS[0]}"][0] for state in ("backup", "changed")
    ]
    assert suppressed == [200, 404]
