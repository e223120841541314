"""Report what the approval of a source exposes, and what made its records."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from orgctx.decisions.decision import Connection, run
from orgctx.decisions.keys import listed, reads
from orgctx.operations.source_kinds import KNOWLEDGE_SCOPE, SOURCE_KINDS
from orgctx.resources.catalog import OPERATIONS

Row = dict[str, Any]


def report(connection: Connection, organization_id: UUID, source_id: str) -> Row | None:
    """Describe a source, approved or not.

    Returns:
        The columns of the source, with `exposes` and `importers`; None if there is no such source.
        `exposes` has for each active key its `id`, `hint`, `name`, `issuer_name`, `access` and the
        `operations` that could read the source. `importers` has for each `importer`, None if it is
        unknown, the `count` of its documents.
    """
    common = {"organization_id": organization_id}
    rows = run(connection, "read_source", **common, id=source_id)
    if not rows:
        return None
    (source,) = rows
    keys = listed(connection, organization_id, state="active")
    return {
        **source,
        "exposes": [_exposure(key, source) for key in keys],
        "importers": run(connection, "count_importers", **common, source_id=source_id),
    }


def _exposure(key: Row, source: Row) -> Row:
    """Return a key with the operations that could read the source for it."""
    scopes, kind = set(key["scopes"]), source["kind"]
    operations = [
        operation.name
        for operation in OPERATIONS
        if kind in operation.kinds
        and scopes.intersection(operation.scopes)
        and (SOURCE_KINDS[kind].scope in scopes or KNOWLEDGE_SCOPE in operation.scopes)
    ]
    names = ("id", "hint", "name", "issuer_name", "access")
    return {
        **{name: key[name] for name in names},
        "operations": operations if reads(key, source) else [],
    }
