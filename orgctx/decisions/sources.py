"""Approve, withdraw, include and exclude sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from orgctx.decisions.decision import Decision, DecisionRejected
from orgctx.operations.source_kinds import KINDS

Row = dict[str, Any]


def approve(decision: Decision, ids: Sequence[str], *, value: bool = True) -> list[Row]:
    """Approve sources for reading, or withdraw their approval. Returns them as stored now."""
    return _decide(decision, "approve_sources", ids, value)


def include(decision: Decision, ids: Sequence[str], *, value: bool = True) -> list[Row]:
    """Include or exclude sources; their approval is unchanged. Returns them as stored now."""
    return _decide(decision, "include_sources", ids, value)


def stored(decision: Decision, ids: Sequence[str] | None) -> list[Row]:
    """List sources in the order of the API. ids: None for all."""
    return decision.run("list_sources", ids=ids and list(ids), kinds=list(KINDS))


def audit_values(source: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the audit stores of a source."""
    return {name: source[name] for name in ("kind", "label", "included", "external")}


def lock(decision: Decision, ids: Sequence[str]) -> None:
    """Lock sources until the transaction ends. Raises DecisionRejected if one does not exist."""
    stored = {row["id"] for row in decision.run("lock_sources", ids=list(ids))}
    if unknown := [id_ for id_ in ids if id_ not in stored]:
        names = ", ".join(map(repr, unknown))
        raise DecisionRejected(f"The organization has no source {names}. Nothing was changed.")


def _decide(decision: Decision, statement: str, ids: Sequence[str], value: bool) -> list[Row]:
    lock(decision, ids)
    old_rows = stored(decision, ids)
    decision.run(statement, ids=list(ids), value=value, decided_by=decision.user_id)
    rows = stored(decision, ids)
    for old, new in zip(old_rows, rows, strict=True):
        if old != new:
            decision.before[old["id"]] = audit_values(old)
            decision.after[new["id"]] = audit_values(new)
    return rows
