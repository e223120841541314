"""Find, read, suppress and restore documents and notes, including those that no key can read."""

import re
from typing import Any

from flask import Blueprint, Response, render_template, request
from werkzeug.exceptions import BadRequest, NotFound

from orgctx.decisions import DecisionRejected, knowledge
from orgctx.decisions.knowledge import HELD, MOST_PAGES, SEGMENT_UNITS, SUPPRESSED
from orgctx.decisions.sources import stored
from orgctx.desk import forms
from orgctx.desk.audit import made
from orgctx.desk.current import deciding, number, reading
from orgctx.desk.display import split_units
from orgctx.operations.source_kinds import KNOWLEDGE_KINDS
from orgctx.resources.knowledge.segment import MAX_CONTENT_UNITS

MAX_ID_LENGTH = 200
MAX_TERM_LENGTH = 200  # characters of a search term, as in the service
OFFSET = re.compile(r"[0-9]{1,9}", re.ASCII)
# How much of the text before a place the page shows, in UTF-16 code units.
CONTEXT_UNITS = 1_000
UNKNOWN = "The organization has no such document. It may have been deleted."
DECISIONS = {"suppress": knowledge.suppress, "restore": knowledge.restore}

routes = Blueprint("documents", __name__)


@routes.get("/documents")
def list_all() -> str:
    """List documents and notes, newest first, or those that contain a text."""
    q, source_id = request.args.get("q", "").strip(), request.args.get("source", "")
    filters: dict[str, Any] = {
        "q": q,
        "source_id": source_id,
        "state": next((each for each in (SUPPRESSED, HELD) if each in request.args), None),
    }
    if len(q) > MAX_TERM_LENGTH or "\0" in q + source_id:
        raise BadRequest(f"Search for at most {MAX_TERM_LENGTH} characters, without NUL.")
    page = min(request.args.get("page", 1, type=number), MOST_PAGES)
    with reading() as tenant:
        page_of_items = knowledge.search(tenant, page=page, **filters)
        sources = {row["id"]: row for row in stored(tenant) if row["kind"] in KNOWLEDGE_KINDS}
    return render_template(
        "documents.html",
        page=page_of_items,
        number=page,
        most_pages=MOST_PAGES,
        sources=sources,
        **filters,
    )


@routes.get("/documents/<path:id>")
def read(id: str) -> str:
    """Show a segment of a document that begins at `from`, or shortly before `offset`."""
    place = _offset("offset")
    start = _offset("from") if place is None else max(0, place - CONTEXT_UNITS)
    with reading() as tenant:
        try:
            item = knowledge.read(tenant, _checked(id), offset=start or 0)
        except DecisionRejected:
            raise NotFound(UNKNOWN) from None
    extent = item["content_range"]
    before, after = "", item["content"]
    if place is not None:
        before, after = split_units(item["content"], place - extent["offset"])
    return render_template(
        "document.html",
        item=item,
        before=before,
        after=after,
        has_place=place is not None,
        previous=max(0, extent["offset"] - SEGMENT_UNITS) if extent["offset"] else None,
    )


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
