"""Undo a decision, as long as nothing else has changed what it changed."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from orgctx.decisions import keys, knowledge, sources
from orgctx.decisions.audit_log import find
from orgctx.decisions.decision import LOOK_AGAIN, Decision, DecisionRejected, state_of
from orgctx.decisions.sentences import UNDONE
from orgctx.stores.db import Row

# Members of `after` that name no object.
NOT_OBJECTS = (UNDONE, knowledge.COPIES)


def can_undo(row: Row) -> bool:
    """Return whether a record is a decision that `undo` knows how to reverse."""
    return _restorer(row) is not None


def undoable(rows: Iterable[Row]) -> Iterator[bool]:
    """Yield whether each record, newest first, can be undone, as far as the later ones tell."""
    later: set[str] = set()
    for row in rows:
        objects = _objects(row).keys()
        yield can_undo(row) and later.isdisjoint(objects)
        later |= objects if row["decided_by"] else set()


def undo(decision: Decision, sequence: int) -> None:
    """Restore what a decision changed.

    Args:
        sequence: that of its audit record.

    Raises:
        DecisionRejected: there is no such record, it cannot be undone, something else has changed
            the same, or a source would become readable that was loaded since.
    """
    row = find(decision, sequence)
    if not row:
        raise DecisionRejected(f"The audit has no record {sequence}. See `orgctx audit`.")
    if not (restore := _restorer(row)):
        raise DecisionRejected(f"`{row['command']}` cannot be undone. Nothing was changed.")
    objects = _objects(row)
    _reject_later(decision, objects, sequence)
    restore(decision, row, objects)
    # Again, because their locks are held by now.
    _reject_later(decision, objects, sequence)
    decision.after[UNDONE] = sequence


def _reject_later(decision: Decision, objects: Iterable[str], sequence: int) -> None:
    """Reject if others decided about the objects, even if these are as the decision left them."""
    last = decision.last_of([*objects])
    if last and last[0] > sequence:
        raise DecisionRejected(f"The same was decided again {last[1]}. {LOOK_AGAIN}")


def _objects(row: Row) -> dict[str, tuple[Any, Any]]:
    """Return what each object was before and after a decision."""
    before, after = row["before"], row["after"]
    return {
        id_: (before.get(id_), after.get(id_)) for id_ in before | after if id_ not in NOT_OBJECTS
    }


Objects = Mapping[str, tuple[Row, Row]]
Restore = Callable[[Decision, Row, Objects], None]


def _restorer(row: Row) -> Restore | None:
    """Return what restores the objects of a record, which are of one kind; None if nothing does."""
    found = {_restorer_of(*values) for values in _objects(row).values()}
    return found.pop() if row["decided_by"] and len(found) == 1 else None


def _restorer_of(old: Any, new: Any) -> Restore | None:
    if not isinstance(old, dict) or not isinstance(new, dict):
        return None
    members = old.keys() & new.keys()
    if members.issuperset(sources.EXPOSING):
        return _restore_sources
    if {"hint", "expires_at"} <= members and old["expires_at"] == new["expires_at"]:
        return _restore_keys
    return _restore_documents if "suppressed" in members else None


def _restore_sources(decision: Decision, row: Row, objects: Objects) -> None:
    decision.expect({id_: sources.state(new) for id_, (_, new) in objects.items()})
    # Exposures first, because they wait for loads before they lock the sources.
    for value in (True, False):
        for column in (*sources.EXPOSING, "holds_new"):
            changed = [
                id_
                for id_, (old, new) in objects.items()
                if old[column] is value and new[column] is not value
            ]
            if changed:
                sources.decide(decision, changed, column=column, value=value)
    loaded = [
        stored["id"]
        for stored in sources.stored(decision, [*objects])
        if stored["loaded_at"] and stored["loaded_at"] > row["at"]
        and sources.is_readable(stored)
        and not sources.is_readable(objects[stored["id"]][1])
    ]  # fmt: skip
    if loaded:
        raise DecisionRejected(
            f"{', '.join(loaded)} was loaded since. Nothing was changed. Approve or include it, "
            "which shows what becomes readable."
        )


def _restore_documents(decision: Decision, _: Row, objects: Objects) -> None:
    decision.expect({
        id_: state_of({"suppressed": new["suppressed"], "held": sorted(new["held"])})
        for id_, (_, new) in objects.items()
    })  # fmt: skip
    knowledge.reset(decision, {id_: old for id_, (old, _) in objects.items()})


def _restore_keys(decision: Decision, _: Row, objects: Objects) -> None:
    for id_, (old, new) in objects.items():
        rights = {name: new[name] for name in ("name", "access", "sources")}
        shown = rights | {"scopes": sorted(new["scopes"]), "revoked": False}
        decision.expect({id_: state_of(shown)})
        keys.change(decision, UUID(id_), **{right: old[right] for right in keys.RIGHTS})
