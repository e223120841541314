"""Approve, withdraw, include and exclude sources."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from orgctx.decisions.decision import Decision, DecisionRejected, state_of
from orgctx.operations.exposure import Source
from orgctx.operations.source_kinds import KINDS, SOURCE_KINDS
from orgctx.stores.db import Row, Tenant, sql

# The columns that both must be true for keys to read a source.
EXPOSING = ("external", "included")
# Kinds of sources whose documents can be held.
HOLDING_KINDS = ("docs", "notes", "assets")


def hold_new(decision: Decision, ids: Sequence[str] | None, *, value: bool = True) -> list[Row]:
    """Let sources hold new documents, or make them readable at once. Same arguments as `decide`.

    What waits already goes on waiting.
    """
    rows = lock_shown(decision, ids)
    if other := [row["id"] for row in rows if row["kind"] not in HOLDING_KINDS]:
        raise DecisionRejected(
            f"{', '.join(other)} cannot hold documents; only sources of kind "
            f"{', '.join(HOLDING_KINDS)} can. Nothing was changed."
        )
    return decide(decision, ids, column="holds_new", value=value)


def stored(tenant: Tenant, ids: Sequence[str] | None = None) -> list[Row]:
    """List sources in the order of the API. ids: None for all."""
    ids = None if ids is None else list(ids)
    return tenant.run("decisions/list_sources", ids=ids, kinds=list(KINDS))


def status(source: Mapping[str, Any]) -> str:
    """Return the status of a listed source, as the API computes it."""
    return Source(**{name: source[name] for name in Source._fields}).status


def audit_values(source: Mapping[str, Any]) -> dict[str, Any]:
    return {name: source[name] for name in ("kind", "label", "included", "external", "holds_new")}


def state(source: Mapping[str, Any], *, with_content: bool = False) -> str:
    """Return the state of a listed source, for `Decision.expect`.

    Args:
        source: without content, the values of the audit are enough.
        with_content: whether a change of its name or records counts.
    """
    return state_of(_state_values(source) if with_content else _decided_values(source))


def _decided_values(source: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "approved": source["external"],
        "included": source["included"],
        "new documents held": source["holds_new"],
    }


def _state_values(source: Mapping[str, Any]) -> dict[str, Any]:
    return _decided_values(source) | {
        "name": source["label"],
        "records": source["count"],
        "updated": source["updated_at"],
        "loaded": source["loaded_at"],
        "suppressed": source["suppressed_at"],
    }


def reads(key: Mapping[str, Any], source: Mapping[str, Any]) -> bool:
    """Return whether a key reads a source once it is approved and included.

    With the scope of knowledge, it reads a source of another kind if that has knowledge items.
    """
    is_within = key["sources"] is None or source["id"] in key["sources"]
    kind, scopes = SOURCE_KINDS[source["kind"]], key["scopes"]
    has_items = source["has_knowledge"] and kind.is_readable_with(scopes, as_knowledge=True)
    return is_within and (kind.is_readable_with(scopes) or has_items)


def is_readable(source: Mapping[str, Any]) -> bool:
    """Return whether keys read a listed source."""
    return all(source[name] for name in EXPOSING)


def lock(decision: Decision, ids: Sequence[str] | None) -> list[str]:
    """Lock sources, or all, until the transaction ends. Returns their ids.

    Raises:
        DecisionRejected: one does not exist.
    """
    locked = decision.lock_sources(ids)
    if unknown := [id_ for id_ in ids or () if id_ not in locked]:
        names = ", ".join(map(repr, unknown))
        raise DecisionRejected(f"The organization has no source {names}. Nothing was changed.")
    return locked


def lock_shown(decision: Decision, ids: Sequence[str] | None) -> list[Row]:
    """Lock sources, or all, and return them. Raises Changed if one is not as it was shown."""
    locked = lock(decision, ids)
    rows = stored(decision, locked)
    for row in rows:
        decision.check(row["id"], _state_values(row), row["label"])
    return rows


def decide(
    decision: Decision, ids: Sequence[str] | None, *, column: str, value: bool = True
) -> list[Row]:
    """Approve or include sources, or let them hold new documents; or end this.

    Args:
        ids: None for all sources.
        column: external, included or holds_new. The others are unchanged.

    Returns:
        the sources as stored now.

    Raises:
        DecisionRejected: one does not exist, or is not as `decision.expect` says.
    """
    if value and column in EXPOSING:
        # Wait for a load, because no preview shows what it stores. `expect` then fails if it has
        # changed the source.
        decision.lock_organization()
    old_rows = lock_shown(decision, ids)
    ids = [row["id"] for row in old_rows]
    statement = sql("decisions/decide_sources").format(column=column)
    decision.execute(statement, ids=ids, value=value, decided_by=decision.user_id)
    decision.set_version()
    rows = stored(decision, ids)
    keys = decision.run(
        "decisions/list_keys",
        id=None, state="active", expiring_days=None, row_offset=0, row_limit=None,
    )  # fmt: skip
    for old, new in zip(old_rows, rows, strict=True):
        if old != new:
            decision.before[old["id"]] = audit_values(old)
            decision.after[new["id"]] = audit_values(new)
            if is_readable(old) != is_readable(new):
                decision.after[new["id"]]["keys"] = sum(reads(key, new) for key in keys)
    return rows


approve = partial(decide, column="external")
include = partial(decide, column="included")
# What a member decides about sources, by the name of the command.
DECISIONS: dict[str, Callable[[Decision, Sequence[str] | None], list[Row]]] = {
    "approve": approve,
    "withdraw": partial(approve, value=False),
    "include": include,
    "exclude": partial(include, value=False),
    "new-documents held": hold_new,
    "new-documents readable": partial(hold_new, value=False),
}
