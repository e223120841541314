"""What scopes open, and what a key reads now."""

from __future__ import annotations

from typing import Any

from orgctx.decisions import sources
from orgctx.decisions.keys import Key
from orgctx.decisions.scopes import explain, summary
from orgctx.desk.current import member
from orgctx.desk.database import reading

Row = dict[str, Any]


def of_key(key: Key) -> list[Row]:
    """Return what each scope of a key opens now, as `scopes.explain`, with its `summary`."""
    with reading() as connection:
        rows = explain(connection, member().organization_id, key["sources"])
    return [row | {"summary": summary(row)} for row in rows if row["scope"] in key["scopes"]]


def choices() -> tuple[list[Row], list[Row]]:
    """Return what each scope opens now, with its `summary`, and all sources, approved or not."""
    with reading() as connection:
        rows = explain(connection, member().organization_id)
        stored = sources.stored(connection, member().organization_id)
    return [row | {"summary": summary(row)} for row in rows], stored
