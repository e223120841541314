"""Explain what keys read: with a scope now, and of a source once it is approved."""

from collections import Counter
from collections.abc import Sequence

from orgctx.decisions.keys import listed
from orgctx.decisions.sources import reads, stored
from orgctx.operations.source_kinds import (
    KINDS,
    KNOWLEDGE_KINDS,
    KNOWLEDGE_SCOPE,
    SCOPES,
    SOURCE_KINDS,
)
from orgctx.resources.catalog import OPERATIONS
from orgctx.stores.db import Row, Tenant

DOCUMENTS = SOURCE_KINDS["docs"].records
DERIVED_KINDS = [kind for kind in KNOWLEDGE_KINDS if SOURCE_KINDS[kind].scope != KNOWLEDGE_SCOPE]


def explain(tenant: Tenant, source_ids: Sequence[str] | None = None) -> list[Row]:
    """Return for each scope what it opens now.

    Args:
        source_ids: the sources to which the key is limited; None if it is not.

    Returns:
        One row for each of SCOPES. `operations` are the names of those that the scope opens.
        `sources` are the approved and included ones, with `id`, `kind`, `label` and `records`.
        `records` counts each kind of record, as in `{"documents": 412, "notes": 3}`.
    """
    rows = tenant.run(
        "decisions/count_readable",
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
        "operations": [operation.name for operation in OPERATIONS if scope in operation.scopes],
        "sources": sources,
        "records": dict(total),
    }


def _records(scope: str, row: Row) -> dict[str, int] | None:
    """Count what a scope opens of a source; None if it opens nothing."""
    kind = SOURCE_KINDS[row["kind"]]
    if kind.is_open([scope]):
        return {kind.records: row["record_count"]} if kind.is_counted else {}
    if kind.is_open([scope], as_knowledge=True) and row["knowledge_count"]:
        return {DOCUMENTS: row["knowledge_count"]}
    return None


def report(tenant: Tenant, source_id: str) -> Row | None:
    """Describe a source, approved or not.

    Returns:
        The columns of the source, with `exposes` and `syncs`; None if there is none.
        `exposes` has for each active key that could read the source its `id`, `hint`, `name`,
        `issuer_name`, `access` and the `operations` that do so. `syncs` has the last result of
        `orgctx sync`, if any.
    """
    rows = stored(tenant, [source_id])
    if not rows:
        return None
    (source,) = rows
    return {
        **source,
        "exposes": [
            {name: key[name] for name in ("id", "hint", "name", "issuer_name", "access")}
            | {
                "operations": [
                    operation.name
                    for operation in OPERATIONS
                    if operation.reads(source["kind"], key["scopes"])
                ]
            }
            for key in listed(tenant, state="active")
            if reads(key, source)
        ],
        "syncs": tenant.run("decisions/read_sync", source_id=source_id),
    }
