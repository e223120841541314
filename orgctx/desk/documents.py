"""Find, read, suppress and restore documents and notes, including those that no key can read."""

import re
from typing import Any

from flask import Blueprint, Response, render_template, request, url_for
from werkzeug.exceptions import BadRequest, NotFound

from orgctx.decisions import DecisionRejected, knowledge
from orgctx.decisions.findings import passage, visible
from orgctx.decisions.knowledge import HELD, MOST_PAGES, PAGE_SIZE, SEGMENT_UNITS, SUPPRESSED
from orgctx.decisions.sources import HOLDING_KINDS, stored
from orgctx.decisions.sources import state as source_state
from orgctx.desk import forms
from orgctx.desk.audit import redirect_after
from orgctx.desk.current import deciding, number, reading
from orgctx.desk.display import split_units
from orgctx.operations.source_kinds import KNOWLEDGE_KINDS
from orgctx.resources.knowledge.segment import MAX_CONTENT_UNITS
from orgctx.stores.db import Row, Tenant

OFFSET = re.compile(r"[0-9]{1,9}", re.ASCII)
# How much of the text before a place the page shows, in UTF-16 code units.
CONTEXT_UNITS = 1_000
# What the addresses of lists may have.
FILTERS = {"q": None, "source": None, "held": ("on",)}
UNKNOWN = "The organization has no such document. It may have been deleted."
# How much of a held document its list shows, from shortly before a secret, and how much it reads
# before it: all of a longer secret that ends there.
EXCERPT_BEFORE, EXCERPT_LENGTH, READ_BEFORE = 60, 200, 18_000

routes = Blueprint("documents", __name__)


@routes.get("/documents")
def list_all() -> str:
    """List documents and notes, newest first, or those that contain a text."""
    state = next((each for each in (SUPPRESSED, HELD) if each in request.args), None)
    page = min(request.args.get("page", 1, type=number), MOST_PAGES)
    with reading() as tenant:
        sources = {row["id"]: row for row in stored(tenant) if row["kind"] in KNOWLEDGE_KINDS}
        chosen = forms.filters(request.args, FILTERS | {"source": sources})
        q, source_id = chosen.get("q"), chosen.get("source")
        rows, has_more = knowledge.search(tenant, q=q, source_id=source_id, state=state, page=page)
        waiting = {row["id"]: _waiting(tenant, row) for row in rows} if state == HELD else {}
    return render_template(
        "documents.html",
        rows=rows,
        has_more=has_more,
        number=page,
        most_pages=MOST_PAGES,
        sources=sources,
        waiting=waiting,
        q=q,
        source_id=source_id,
        state=state,
    )


def _waiting(tenant: Tenant, row: Row) -> Row:
    """Return why a listed document waits, the passage with secrets masked, and its state."""
    _, place = row["held"].get("secret", (None, None))
    start = max(0, (place or 0) - READ_BEFORE)
    item = knowledge.read(tenant, row["id"], offset=start)
    before, _ = split_units(item["content"], (place or 0) - start)
    reasons = [
        f"{reason}: {detail}" if detail else reason
        for reason, (detail, _) in sorted(row["held"].items())
    ]
    return {
        "title": visible(row["title"]),
        "excerpt": passage(item["content"], len(before) - EXCERPT_BEFORE, EXCERPT_LENGTH),
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
            item = knowledge.read(tenant, forms.check_id(id), offset=start or 0)
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
def decide_several() -> Response | str:
    """Release or suppress the chosen documents that wait, as the page showed them."""
    ids = forms.ticked(request.form, "document", PAGE_SIZE)
    return _decide(ids, "documents.list_all", **forms.filters(request.args, FILTERS))


@routes.post("/documents/<path:id>")
def decide(id: str) -> Response | str:
    """Suppress, restore or release a document, as the page showed it."""
    return _decide([forms.check_id(id)], "documents.read", id=id)


def _decide(ids: list[str], endpoint: str, **values: Any) -> Response | str:
    """Decide about documents, or ask whether to release secrets. The endpoint shows the result."""
    name = request.form.get("decision", "")
    if name not in knowledge.DECISIONS:
        raise BadRequest("There is no such decision. Nothing was changed.")
    if "confirmed" not in request.form:
        with reading() as tenant:
            rows = knowledge.secrets_released(tenant, ids, name)
            waiting = {row["id"]: _waiting(tenant, row) for row in rows}
        if rows:
            address = url_for(endpoint, **values)
            return render_template("release.html", rows=rows, waiting=waiting, address=address)
    with deciding(f"knowledge {name}") as decision:
        knowledge.DECISIONS[name](decision, ids)
    return redirect_after(decision, endpoint, **values)


def _offset(name: str) -> int | None:
    """Return an offset of the address in UTF-16 code units. Raises NotFound for an invalid one."""
    value = request.args.get(name)
    if value is None:
        return None
    if not OFFSET.fullmatch(value) or int(value) > MAX_CONTENT_UNITS:
        raise NotFound("The document has no such place.")
    return int(value)
