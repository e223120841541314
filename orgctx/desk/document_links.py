"""Links to a place in a document, once the desk has a view of documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import current_app, url_for

from orgctx.decisions.rehearsal import SUPPRESSIBLE

READ = "documents.read"


def document_url(record: Mapping[str, Any]) -> str | None:
    """Return the address of a record's text; None if the desk cannot show such records.

    Args:
        record: `kind`, `id`, and optionally `offset` in UTF-16 code units.
    """
    if record["kind"] not in SUPPRESSIBLE or READ not in current_app.view_functions:
        return None
    return url_for(READ, id=record["id"], offset=record.get("offset"))
