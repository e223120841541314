"""Explain what keys read: with a scope now, and of a source once it is approved."""

from collections import Counter
from collections.abc import Sequence

from orgctx.decisions.keys import listed
from orgctx.decisions.sources import is_readable, reads, stored
from orgctx.operations.source_kinds import SCOPES, SOURCE_KINDS
from orgctx.resources.catalog import OPERATIONS
from orgctx.stores.db import Row, Tenant


def explain(sources: Sequence[Row], source_ids: Sequence[str] | None = None) -> list[Row]:
    """Return for each scope what a key with it reads now.

    Args:
        sources: all of the organization, as listed.
        source_ids: the sources to which the key is limited; None if it is not.

    Returns:
        One row for each of SCOPES. `operations` are the names of those that need the scope.
        `sources` are the approved and included ones, with `id`, `kind`, `label` and `records`.
        `records` counts each kind of record, as in `{"documents": 412, "notes": 3}`, but not the
        knowledge items of sources of other kinds.
    """
    readable = [row for row in sources if is_readable(row)]
    return [_explained(scope, readable, source_ids) for scope in SCOPES]


def summary(explained: Row) -> str:
    """Return `sources: 3, documents: 412` for a scope."""
    counts = {"sources": len(explained["sources"]), **explained["records"]}
    return ", ".join(f"{name}: {number:,}" for name, number in counts.items())


def _explained(scope: str, readable: Sequence[Row], source_ids: Sequence[str] | None) -> Row:
    key = {"scopes": [scope], "sources": source_ids}
    opened = [
        {**{name: row[name] for name in ("id", "kind", "label")}, "records": _records(scope, row)}
        for row in readable
        if reads(key, row)
    ]
    total: Counter[str] = Counter()
    for source in opened:
        total.update(source["records"])
    return {
        "scope": scope,
        "operations": [operation.name for operation in OPERATIONS if scope in operation.scopes],
        "sources": opened,
        "records": dict(total),
    }


def _records(scope: str, row: Row) -> dict[str, int]:
    kind = SOURCE_KINDS[row["kind"]]
    return (
        {kind.records: row["count"]} if kind.is_counted and kind.is_readable_with([scope]) else {}
    )


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
