"""Find, read, suppress and restore documents and notes, including those that no key can read."""

import re
from typing import Any

from flask import Blueprint, Response, render_template, request
from werkzeug.exceptions import BadRequest, NotFound

from orgctx.decisions import DecisionRejected, knowledge
from orgctx.decisions.findings import visible
from orgctx.decisions.knowledge import HELD, MOST_PAGES, PAGE_SIZE, SEGMENT_UNITS, SUPPRESSED
from orgctx.decisions.sources import HOLDING_KINDS, stored
from orgctx.decisions.sources import state as source_state
from orgctx.desk import forms
from orgctx.desk.audit import made
from orgctx.desk.current import deciding, number, reading
from orgctx.desk.display import split_units
from orgctx.operations.source_kinds import KNOWLEDGE_KINDS
from orgctx.resources.knowledge.segment import MAX_CONTENT_UNITS
from orgctx.stores.db import Row, Tenant

MAX_ID_LENGTH = 200
MAX_TERM_LENGTH = 200  # characters of a search term, as in the service
OFFSET = re.compile(r"[0-9]{1,9}", re.ASCII)
# How much of the text before a place the page shows, in UTF-16 code units.
CONTEXT_UNITS = 1_000
UNKNOWN = "The organization has no such document. It may have been deleted."
DECISIONS = {"suppress": knowledge.suppress, "restore": knowledge.restore}
# How much of a held document its list shows, from shortly before a secret.
EXCERPT_BEFORE, EXCERPT_UNITS, EXCERPT_LENGTH = 60, 600, 200

routes = Blueprint("documents", __name__)


@routes.get("/documents")
def list_all() -> str:
    """List documents and notes, newest first, or those that contain a text."""
    q, source_id = request.args.get("q", "").strip(), request.args.get("source", "")
    state = next((each for each in (SUPPRESSED, HELD) if each in request.args), None)
    filters: dict[str, Any] = {
        "q": q,
        "source_id": source_id,
        "state": state,
    }
    if len(q) > MAX_TERM_LENGTH or "\0" in q + source_id:
        raise BadRequest(f"Search for at most {MAX_TERM_LENGTH} characters, without NUL.")
    page = min(request.args.get("page", 1, type=number), MOST_PAGES)
    with reading() as tenant:
        page_of_items = knowledge.search(tenant, page=page, **filters)
        sources = {row["id"]: row for row in stored(tenant) if row["kind"] in KNOWLEDGE_KINDS}
        rows = page_of_items.rows
        waiting = {row["id"]: _waiting(tenant, row) for row in rows} if state == HELD else {}
    return render_template(
        "documents.html",
        page=page_of_items,
        number=page,
        most_pages=MOST_PAGES,
        sources=sources,
        waiting=waiting,
        **filters,
    )


def _waiting(tenant: Tenant, row: Row) -> Row:
    """Return why a listed document waits, the passage with secrets masked, and its state."""
    _, place = row["held"].get("secret", (None, None))
    start = max(0, (place or 0) - EXCERPT_BEFORE)
    item = knowledge.read(tenant, row["id"], offset=start, limit=EXCERPT_UNITS)
    reasons = [
        f"{reason}: {detail}" if detail else reason
        for reason, (detail, _) in sorted(row["held"].items())
    ]
    return {
        "title": visible(row["title"]),
        "excerpt": visible(item["content"])[:EXCERPT_LENGTH],
        "reasons": reasons,
        "place": place,
        "shown": item["state"],
    }


@routes.get("/documents/<path:id>")
def read(id: str) -> str:
    """Show a segment of a document that begins at `from`, or shortly before `offset`."""
    place = _offset("offset")
    start = _offset("from") if place is None else max(0, place - CONTEXT_UNITS)
    with reading() as tenant:
        try:
            item = knowledge.read(tenant, _checked(id), offset=start or 0)
            (source,) = stored(tenant, [item["source_id"]])
        except DecisionRejected:
            raise NotFound(UNKNOWN) from None
    extent = item["content_range"]
    before, after = "", item["content"]
    if place is not None:
        before, after = split_units(item["content"], place - extent["offset"])
    return render_template(
        "document.html",
        item=item,
        source=source,
        source_state=source_state(source),
        can_hold=source["kind"] in HOLDING_KINDS and not source["holds_new"],
        before=before,
        after=after,
        has_place=place is not None,
        previous=max(0, extent["offset"] - SEGMENT_UNITS) if extent["offset"] else None,
    )


@routes.post("/documents")
def decide_several() -> Response:
    """Release or suppress the chosen documents that wait, as the page showed them."""
    name, ids = request.form.get("decision", ""), request.form.getlist("document")
    if name not in DECISIONS:
        raise BadRequest("There is no such decision. Nothing was changed.")
    if not 0 < len(ids) <= PAGE_SIZE:
        raise BadRequest(f"Choose 1 to {PAGE_SIZE} documents. Nothing was changed.")
    with deciding(f"knowledge {name}") as decision:
        decision.expect(forms.shown(request.form))
        DECISIONS[name](decision, [*map(_checked, ids)])
    return made(decision, "documents.list_all", held="on")


@routes.post("/documents/<path:id>")
def decide(id: str) -> Response:
    """Suppress or restore a document, as the page showed it."""
    name = request.form.get("decision", "")
    if name not in DECISIONS:
        raise BadRequest("There is no such decision. Nothing was changed.")
    with deciding(f"knowledge {name}") as decision:
        decision.expect(forms.shown(request.form))
        DECISIONS[name](decision, [_checked(id)])
    return made(decision, "documents.read", id=id)


def _checked(id_: str) -> str:
    return forms.check_id(id_, MAX_ID_LENGTH)


def _offset(name: str) -> int | None:
    """Return an offset of the address in UTF-16 code units. Raises NotFound for an invalid one."""
    value = request.args.get(name)
    if value is None:
        return None
    if not OFFSET.fullmatch(value) or int(value) > MAX_CONTENT_UNITS:
        raise NotFound("The document has no such place.")
    return int(value)
