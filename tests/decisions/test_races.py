"""Two owners decide about one object that both saw: one decision counts, the other is rejected."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any
from uuid import UUID

import pytest

from orgctx.bundle.loader import load_records
from orgctx.decisions import (
    Changed,
    Decision,
    DecisionRejected,
    NotAuthorized,
    keys,
    knowledge,
    preview,
    sources,
)
from orgctx.decisions.undo import undo
from orgctx.stores.db import Connection, Tenant
from tests.decisions.conftest import Deciding
from tests.support import factories as f
from tests.support.deployment import Deployment, Result
from tests.support.waiting import until

ACME = UUID(f.ACME)
SOURCE, ITEM = "docs:handbook", f.knowledge_id()

# Decides about sources or documents by their ids, or about a key by its id.
Decide = Callable[..., Any]


def key_row(connection: Connection, id_: str) -> dict[str, Any]:
    rows = keys.listed(Tenant(connection, ACME))
    return next(row for row in rows if str(row["id"]) == id_)


def new_key(deciding: Deciding, name: str = "laptop") -> str:
    with deciding() as decision:
        key = keys.issue(
            decision, name=name, access="api", scopes=["context:read", "x:read"], days=30
        )
    return str(key["id"])


def prepare_source(deciding: Deciding, **values: bool) -> str:
    with deciding() as decision:
        sources.approve(decision, [SOURCE], value=values.get("approved", True))
        sources.include(decision, [SOURCE], value=values.get("included", True))
    return SOURCE


def prepare_item(deciding: Deciding, *, is_suppressed: bool) -> str:
    with deciding() as decision:
        (knowledge.suppress if is_suppressed else knowledge.restore)(decision, [ITEM])
    return ITEM


def state(connection: Connection, id_: str) -> str:
    tenant = Tenant(connection, ACME)
    if id_ == SOURCE:
        return sources.state(*sources.stored(tenant, [SOURCE]))
    if id_ == ITEM:
        return knowledge.state(*tenant.run("decisions/find_knowledge", ids=[ITEM]))
    return keys.state(key_row(connection, id_))


def decide(deciding: Deciding, shown: dict[str, str], function: Callable[..., Any]) -> None:
    with deciding() as decision:
        decision.expect(shown)
        function(decision)


# How each decision is prepared, made and reported to the second owner.
DECISIONS: dict[str, tuple[Callable[[Deciding], str], Decide, str]] = {
    "approve": (partial(prepare_source, approved=False), sources.approve, "approved false -> true"),
    "withdraw": (prepare_source, partial(sources.approve, value=False), "approved true -> false"),
    "include": (partial(prepare_source, included=False), sources.include, "included false -> true"),
    "exclude": (prepare_source, partial(sources.include, value=False), "included true -> false"),
    "suppress": (
        partial(prepare_item, is_suppressed=False), knowledge.suppress, "suppressed false -> true",
    ),
    "restore": (
        partial(prepare_item, is_suppressed=True), knowledge.restore, "suppressed true -> false",
    ),
    "change": (new_key, partial(keys.change, access="both"), "access api -> both"),
    "rotate": (
        new_key, partial(keys.rotate, old_seconds=60, days=None),
        "name laptop -> laptop (rotated), expires ",
    ),
    "revoke": (new_key, keys.revoke, "revoked false -> true"),
}  # fmt: skip


@pytest.mark.parametrize("name", DECISIONS)
def test_second_of_two_decisions_is_told_of_the_first(
    acme: Deployment, connection: Connection, deciding: Deciding, name: str
) -> None:
    prepare, function, change = DECISIONS[name]
    id_ = prepare(deciding)
    shown = {id_: state(connection, id_)}
    subject = [id_] if id_ in (SOURCE, ITEM) else UUID(id_)

    def run_decision(by: str) -> None:
        with deciding(by, f"test {name}") as decision:
            decision.expect(shown)
            function(decision, subject)

    with ThreadPoolExecutor(1) as threads:
        with deciding(f.ADMIN, f"test {name}") as first:
            first.expect(shown)
            function(first, subject)
            second = threads.submit(run_decision, f.OWNER)
            until(acme.waiting, "the second decision waits for the first")
        with pytest.raises(Changed) as caught:
            second.result()
    message = str(caught.value)
    assert f" has changed since it was shown: {change}" in message
    assert id_ not in message  # but its name
    assert "; last decided by Admin at " in message
    assert message.endswith(f"with `test {name}`. Nothing was changed. Look again.")
    records = acme.execute(
        "SELECT decided_by::text FROM audit WHERE command = %s AND before ? %s",
        (f"test {name}", id_),
    )
    assert records == [(f.ADMIN,)]


@pytest.mark.parametrize(
    "function",
    [
        partial(sources.approve, ids=[SOURCE], value=False),
        partial(keys.issue, name="late", access="api", scopes=["x:read"], days=7),
    ],
)
def test_member_who_is_demoted_meanwhile_decides_nothing(
    acme: Deployment, deciding: Deciding, function: Callable[[Decision], Any]
) -> None:
    prepare_source(deciding)
    role = f"UPDATE members SET role = '{{}}' WHERE user_id = '{f.ADMIN}'"

    def decide_demoted() -> None:
        with deciding(f.ADMIN) as decision:
            acme.execute(role.format("member"))
            function(decision)

    with pytest.raises(NotAuthorized):
        decide_demoted()
    acme.execute(role.format("admin"))
    assert acme.execute(f"SELECT external FROM sources WHERE id = '{SOURCE}'") == [(True,)]
    assert acme.execute("SELECT count(*) FROM api_keys WHERE name = 'late'") == [(0,)]


@pytest.mark.parametrize("is_named", [False, True])
def test_key_is_rotated_while_a_command_waits(
    acme: Deployment, connection: Connection, deciding: Deciding, *, is_named: bool
) -> None:
    """By its id, the command changes what the rotation left; the name is that of another key."""
    name = f"named: {is_named}"
    id_ = new_key(deciding, name)
    words = ("revoke", name) if is_named else ("change", id_, "--source", SOURCE, "--yes")
    with ThreadPoolExecutor(1) as threads:
        with deciding(f.ADMIN) as first:
            keys.rotate(first, UUID(id_), old_seconds=60, days=None)
            second = threads.submit(acme.cli, "keys", *words, *f.WHO)
            until(acme.waiting, "the second decision waits for the first")
        result = second.result()
    assert (f"name {name} -> {name} (rotated)" in result.stderr) is is_named
    assert result.exit_code == is_named
    row = key_row(connection, id_)
    assert (row["state"], row["sources"] == [SOURCE]) == ("active", not is_named)


@pytest.mark.parametrize(
    "shown", ["", "{}", "[]", '{"other":1}', "{", '{"approved":[[1]]}', "null"]
)
def test_state_that_nobody_gave_is_rejected(deciding: Deciding, shown: str) -> None:
    with pytest.raises(Changed, match="Nothing was changed"):
        decide(deciding, {SOURCE: shown}, partial(sources.approve, ids=[SOURCE], value=False))


@pytest.mark.parametrize(
    ("column", "number", "undoes"),
    [("external", 2, False), ("included", 3, False), ("external", 5, True), ("included", 6, True)],
)
def test_source_is_not_opened_during_a_load(
    acme: Deployment,
    connection: Connection,
    deciding: Deciding,
    column: str,
    number: int,
    undoes: bool,
) -> None:
    """No preview shows the records, and the load has not locked the source yet."""
    prepare_source(deciding)
    with deciding(f.ADMIN) as closing:
        sources.decide(closing, [SOURCE], column=column, value=False)
    shown = preview.build_preview(Tenant(connection, ACME), None)

    def open_source() -> None:
        if undoes:
            with deciding() as decision:
                undo(decision, closing.sequence or 0)
        else:
            decide(deciding, shown.state, partial(sources.decide, ids=[SOURCE], column=column))

    with ThreadPoolExecutor(1) as threads:

        def open_meanwhile(stage: str) -> None:
            if stage == "Merging records":
                openings.append(threads.submit(open_source))
                until(acme.waiting, "the decision waits for the load")

        openings: list[Future[None]] = []
        load_records(acme.admin_url, [f.knowledge(number)], on_step=open_meanwhile)
        message = "was loaded since" if undoes else "has changed since it was shown"
        with pytest.raises(DecisionRejected, match=message):
            openings[0].result()


def test_undo_rejects_decisions_made_before_it_has_the_locks(
    deciding: Deciding, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They leave the source as the decision left it that is undone."""
    prepare_source(deciding, approved=False)
    with deciding(f.OWNER) as decision:
        sources.approve(decision, [SOURCE])
    assert decision.sequence
    expect = Decision.expect

    def decide_meanwhile(undoing: Decision, states: Mapping[str, str]) -> None:
        for value in (False, True):
            with deciding(f.ADMIN) as other:
                sources.approve(other, [SOURCE], value=value)
        expect(undoing, states)

    monkeypatch.setattr(Decision, "expect", decide_meanwhile)
    rejected = pytest.raises(DecisionRejected, match="The same was decided again by Admin")
    with rejected, deciding(f.OWNER) as undoing:
        undo(undoing, decision.sequence)


@pytest.mark.parametrize(
    "command",
    [
        "sources approve docs:handbook --yes", f"knowledge suppress {ITEM}",
        "audit undo {sequence}", "members add Grace --role member",
        "members role Member --role admin",
        "members identify Admin --email admin@acme.example",
    ],
)  # fmt: skip
def test_load_of_the_member_who_decides_after_it(
    acme: Deployment, deciding: Deciding, command: str
) -> None:
    """The decision waits without the lock of the member, which the load needs."""
    prepare_source(deciding)
    with deciding() as closing:
        sources.approve(closing, [SOURCE], value=False)
    words = command.format(sequence=closing.sequence).split()
    decide = partial(acme.cli, *words, *f.WHO)

    with ThreadPoolExecutor(1) as threads:

        def decide_meanwhile(stage: str) -> None:
            # The organization is locked, the member is not.
            if stage == "Merging records":
                decisions.append(threads.submit(decide))
                until(acme.waiting, "the decision waits for the load")

        decisions: list[Future[Result]] = []
        load_records(acme.admin_url, [f.member()], on_step=decide_meanwhile)
        decisions[0].result().done()


def test_preview_covers_approved_sources_too(connection: Connection, deciding: Deciding) -> None:
    """An approval that somebody withdrew meanwhile is not given again."""
    prepare_source(deciding)
    shown = preview.build_preview(Tenant(connection, ACME), None)
    with deciding(f.ADMIN) as decision:
        sources.approve(decision, [SOURCE], value=False)
    with pytest.raises(Changed, match="approved true -> false"):
        decide(deciding, shown.state, partial(sources.approve, ids=None))


def test_long_values_are_compared_by_digest(connection: Connection, deciding: Deciding) -> None:
    with deciding() as decision:
        key = keys.issue(
            decision, name="n" * 100, access="api", scopes=["x:read"], days=7, sources=[SOURCE]
        )
    row = key_row(connection, str(key["id"]))
    many = [f"docs:{number}" for number in range(1_000)]
    assert len(keys.state(row | {"sources": many})) < 500
    assert keys.state(row | {"sources": many}) != keys.state(row | {"sources": many[1:]})
