"""What each decision changes: the next request of a key, the audit, and whom the database names.

Commands and the desk call these functions; their own tests check what they show and reject.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from flask.testing import FlaskClient

from orgctx.decisions import DecisionRejected, keys, knowledge, sources
from orgctx.stores.db import Connection, Tenant
from tests.decisions.conftest import Deciding
from tests.support import crawl
from tests.support import factories as f
from tests.support.deployment import Deployment

ACME, DOCS, ITEM = UUID(f.ACME), "docs:handbook", f.knowledge_id()
DOCUMENT = f"/knowledge/{ITEM}"
WORDS = "Content%20of%20document%201"
Decide = Callable[..., Any]


class Effect(NamedTuple):
    """A decision that hides a document, the one that shows it again, and what the audit stores."""

    hide: Decide
    show: Decide
    id: str  # of the object of the decision
    name: str  # of the audited value
    values: tuple[bool, bool]  # before and after `hide`


EFFECTS = {
    "approval": Effect(
        partial(sources.approve, value=False), sources.approve, DOCS, "external", (True, False)
    ),
    "inclusion": Effect(
        partial(sources.include, value=False), sources.include, DOCS, "included", (True, False)
    ),
    "suppression": Effect(
        knowledge.suppress, knowledge.restore, ITEM, "suppressed", (False, True)
    ),
}  # fmt: skip


def get(client: FlaskClient, secret: str, path: str = DOCUMENT) -> int:
    return crawl.rest(client, secret, f"/api/v1{path}").status_code


def recorded(connection: Connection, command: str) -> list[tuple[str, Any, Any]]:
    """The author, the state before and the state after of each record of a command."""
    statement = "SELECT decided_by::text AS by, before, after FROM audit WHERE command = %s"
    rows = connection.execute(statement, [command])
    return [(row["by"], row["before"], row["after"]) for row in rows]


@pytest.mark.parametrize("name", EFFECTS)
def test_decision_holds_from_the_next_request_until_it_is_undone(
    acme: Deployment, connection: Connection, client: FlaskClient, deciding: Deciding, name: str
) -> None:
    """[3.2.4] [3.2.5] [3.2.6] A load does not undo it, even of a record that was deleted.

    A repeated decision leaves no record.
    """
    effect, secret = EFFECTS[name], acme.issue_key(f.ACME, f.OWNER)

    def is_found() -> bool:
        answer = crawl.rest(client, secret, f"/api/v1/knowledge?q={WORDS}")
        return ITEM in answer.text

    assert get(client, secret) == 200
    assert is_found()
    for by in (f.OWNER, f.ADMIN):
        with deciding(by, f"test hide {name}") as decision:
            effect.hide(decision, [effect.id])
        assert get(client, secret) == 404
        assert not is_found()
    for records in ([f.delete("knowledge", ITEM)], [f.source("docs", label="New"), f.knowledge()]):
        acme.load(records)
        assert get(client, secret) == 404
    with deciding(f.ADMIN, f"test show {name}") as decision:
        effect.show(decision, [effect.id])
    assert is_found()
    acme.load([f.source("docs", label="Newer"), f.knowledge()])
    assert get(client, secret) == 200
    states = [{effect.name: value} for value in effect.values]
    for verb, by, (before, after) in (("hide", f.OWNER, states), ("show", f.ADMIN, states[::-1])):
        ((author, old, new),) = recorded(connection, f"test {verb} {name}")
        assert (author, old.keys(), new.keys()) == (by, {effect.id}, {effect.id})
        assert old[effect.id].items() >= before.items()
        assert new[effect.id].items() >= after.items()


@pytest.mark.parametrize("unknown", ["docs:nowhere", f.knowledge_id("of nobody")])
@pytest.mark.parametrize("name", EFFECTS)
def test_decision_about_an_unknown_id_decides_nothing(
    acme: Deployment, client: FlaskClient, deciding: Deciding, name: str, unknown: str
) -> None:
    effect, secret = EFFECTS[name], acme.issue_key(f.ACME, f.OWNER)
    for decide, status in ((effect.hide, 200), (effect.show, 404)):
        with (
            pytest.raises(DecisionRejected, match=rf"has no .*{unknown}.*\. Nothing was changed\."),
            deciding() as decision,
        ):
            decide(decision, [effect.id, unknown])
        assert get(client, secret) == status
        with deciding() as decision:
            decide(decision, [effect.id])


def test_decision_counts_the_records_of_its_source(
    acme: Deployment, connection: Connection, deciding: Deciding
) -> None:
    def count() -> int:
        (row,) = sources.stored(Tenant(connection, ACME), [DOCS])
        return int(row["count"])

    acme.load([f.knowledge(2)])
    before = count()
    with deciding() as decision:
        knowledge.suppress(decision, [ITEM, f.knowledge_id(2), ITEM])
    assert count() == before - 2
    acme.load([f.knowledge(1, title="Again")])
    assert count() == before - 2
    with deciding() as decision:
        knowledge.restore(decision, [ITEM, f.knowledge_id(2)])
    assert count() == before


def test_life_of_a_key(connection: Connection, client: FlaskClient, deciding: Deciding) -> None:
    """[5.8] Each decision applies to the next request, also of a cached caller.

    Its first author is stored, and no secret.
    """
    with deciding(command="test issue") as decision:
        issued = keys.issue(decision, name="laptop", access="mcp", scopes=["x:read"], days=30)
    id_, secret = issued["id"], issued["key"]
    assert get(client, secret, "/x/mentions") == 401
    with deciding(f.ADMIN, "test change") as decision:
        keys.change(decision, id_, access="both", scopes=["knowledge:read"], sources=[DOCS])
    assert [get(client, secret, path) for path in ("/x/mentions", DOCUMENT)] == [403, 200]
    with deciding(f.ADMIN, "test limit") as decision:
        keys.change(decision, id_, sources=["notes:team"])
    assert get(client, secret) == 404
    with deciding(command="test rotate") as decision:
        new, old = keys.rotate(decision, id_, old_seconds=3600, days=None)
    assert (new["name"], old["name"]) == ("laptop", "laptop (rotated)")
    assert (new["scopes"], new["sources"]) == (["knowledge:read"], ["notes:team"])
    assert [get(client, each, "/knowledge") for each in (secret, new["key"])] == [200, 200]
    with deciding(f.ADMIN, "test unlimited") as decision:
        keys.change(decision, new["id"], sources=None)
    assert [get(client, each) for each in (secret, new["key"])] == [404, 200]
    for by in (f.ADMIN, f.OWNER):
        with deciding(by, "test revoke") as decision:
            keys.revoke(decision, new["id"])
        assert get(client, new["key"]) == 401
    expected: dict[str, tuple[Any, ...]] = {
        "issue": (f.OWNER, None, {"name": "laptop", "access": "mcp"}),
        "change": (f.ADMIN, {"access": "mcp"}, {"access": "both", "sources": [DOCS]}),
        "rotate": (f.OWNER, {"name": "laptop"}, {"name": "laptop (rotated)"}),
        "revoke": (f.ADMIN, {"name": "laptop", "sources": None}, None),
    }
    for verb, (by, *states) in expected.items():
        ((author, *stored),) = recorded(connection, f"test {verb}")
        assert author == by
        changed = str(new["id"] if verb == "revoke" else id_)
        for shown, values in zip(stored, states, strict=True):
            assert (changed in shown) == (values is not None)
            assert shown.get(changed, {}).items() >= (values or {}).items()
        assert not any(each[9:] in str(stored) for each in (secret, new["key"]))


@pytest.mark.parametrize(
    ("state", "column"), [("revoked", "revoked_at"), ("expired", "expires_at")]
)
def test_ended_key_is_not_changed_or_rotated(
    acme: Deployment, deciding: Deciding, state: str, column: str
) -> None:
    with deciding() as decision:
        id_ = keys.issue(decision, name=None, access="api", scopes=["x:read"], days=7)["id"]
    acme.execute(f"UPDATE api_keys SET {column} = now() WHERE id = %s", [id_])
    for change in (
        partial(keys.change, access="both"),
        partial(keys.rotate, old_seconds=0, days=None),
    ):
        with pytest.raises(DecisionRejected, match=f"is {state} and"), deciding() as decision:
            change(decision, id_)


@pytest.mark.parametrize(("name", "kept"), [("desktop", "desktop"), (None, None)])
def test_rotated_key_ends_and_cannot_be_rotated_again(
    client: FlaskClient, deciding: Deciding, name: str | None, kept: str | None
) -> None:
    """Its end never moves to later, and no other name may end in `(rotated)`."""
    with deciding() as decision:
        issued = keys.issue(decision, name=name, access="api", scopes=["knowledge:read"], days=7)
        new, old = keys.rotate(decision, issued["id"], old_seconds=10**8, days=90)
    assert (new["name"], old["name"]) == (kept, f"{name or issued['hint']} (rotated)")
    assert old["expires_at"] == issued["expires_at"]
    rejected: list[tuple[Decide, str]] = [
        (partial(keys.rotate, key_id=issued["id"], old_seconds=0, days=None), "rotated already"),
        (partial(keys.change, key_id=issued["id"], name="x"), "Its name cannot be changed"),
        (partial(keys.change, key_id=new["id"], name="x (rotated)"), "Only keys that were rotated"),
    ]
    for change, message in rejected:
        with pytest.raises(DecisionRejected, match=message), deciding() as decision:
            change(decision)
    with deciding() as decision:
        newest, _ = keys.rotate(decision, new["id"], old_seconds=0, days=None)
    assert [get(client, each["key"]) for each in (new, newest)] == [401, 200]
