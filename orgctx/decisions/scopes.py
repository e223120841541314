"""Explain scopes by what a key with them would read now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from orgctx.decisions.decision import Connection, run
from orgctx.operations.source_kinds import (
    KINDS,
    KNOWLEDGE_KINDS,
    KNOWLEDGE_SCOPE,
    SCOPES,
    SOURCE_KINDS,
)
from orgctx.resources.catalog import OPERATIONS

DOCUMENTS = SOURCE_KINDS["docs"].records
DERIVED_KINDS = [kind for kind in KNOWLEDGE_KINDS if SOURCE_KINDS[kind].scope != KNOWLEDGE_SCOPE]

Row = dict[str, Any]


def explain(
    connection: Connection, organization_id: UUID, source_ids: Sequence[str] | None = None
) -> list[Row]:
    """Return for each scope what it opens now.

    Args:
        source_ids: of the only sources that the key may read; None for all.

    Returns:
        in the order of SCOPES: `scope`; `operations`: names of those that it opens; `sources`:
        approved and included ones, with `id`, `kind`, `label` and `records`; `records`: how many
        of each kind, such as `{"documents": 412, "notes": 3}`.
    """
    rows = run(
        connection,
        "count_readable",
        organization_id=organization_id,
        ids=None if source_ids is None else list(source_ids),
        kinds=[*KINDS],
        derived_kinds=DERIVED_KINDS,
    )
    return [_explained(scope, rows) for scope in SCOPES]


def summary(explained: Row) -> str:
    """Return `sources: 3, documents: 412` for a scope."""
    counts = {"sources": len(explained["sources"]), **explained["records"]}
    return ", ".join(f"{name}: {number:,}" for name, number in counts.items())


def _explained(scope: str, rows: Sequence[Row]) -> Row:
    sources = [
        {**{name: row[name] for name in ("id", "kind", "label")}, "records": records}
        for row in rows
        if (records := _records(scope, row)) is not None
    ]
    total: Counter[str] = Counter()
    for source in sources:
        total.update(source["records"])
    return {
        "scope": scope,
        "operations": [each.name for each in OPERATIONS if scope in each.scopes],
        "sources": sources,
        "records": dict(total),
    }


def _records(scope: str, row: Row) -> dict[str, int] | None:
    """Count what a scope opens of a source; None if it opens nothing."""
    kind = SOURCE_KINDS[row["kind"]]
    if kind.scope == scope:
        return {kind.records: row["record_count"]} if kind.is_counted else {}
    if scope == KNOWLEDGE_SCOPE and row["knowledge_count"]:
        return {DOCUMENTS: row["knowledge_count"]}
    return None
