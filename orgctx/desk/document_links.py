"""Links to a place in a document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import url_for

from orgctx.decisions.rehearsal import SUPPRESSIBLE


def document_url(record: Mapping[str, Any]) -> str | None:
    """Return the address of a record's text; None if it is no document or note.

    Args:
        record: `kind`, `id`, and optionally `offset` in UTF-16 code units.
    """
    if record["kind"] not in SUPPRESSIBLE:
        return None
    offset = record.get("offset")
    anchor = None if offset is None else "place"
    return url_for("documents.read", id=record["id"], offset=offset, _anchor=anchor)
