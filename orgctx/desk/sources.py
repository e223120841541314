"""Sources: what is approved, how fresh it is, and decisions about them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from werkzeug.exceptions import BadRequest, NotFound

from orgctx.decisions import list_members, sources
from orgctx.decisions.preview import APPROVE, EXPOSURES, INCLUDE, SUPPRESSIBLE
from orgctx.decisions.scan import ScanTimeout, read_texts, samples
from orgctx.decisions.scopes import report
from orgctx.decisions.sources import DECISIONS, HOLDING_KINDS, stored
from orgctx.desk import forms, preview, reads
from orgctx.desk.audit import redirect_after
from orgctx.desk.current import deciding, number, reading
from orgctx.desk.forms import PAGE_SIZE
from orgctx.operations.source_kinds import KINDS, SOURCE_KINDS
from orgctx.schemas.text import fold
from orgctx.stores.db import Row
from orgctx.stores.deadline import Deadline

# Which sources each filter by decision shows.
STATES: dict[str, Callable[[Row], bool]] = {
    "readable": lambda row: all(row[exposure.column] for exposure in (APPROVE, INCLUDE)),
    APPROVE.undone: lambda row: not row[APPROVE.column],
    INCLUDE.undone: lambda row: not row[INCLUDE.column],
}
# `term` is part of a name or id.
FILTERS = {"kind": KINDS, "state": STATES, "term": None}


def page_of(rows: Sequence[Row], filters: Mapping[str, str], page: int) -> dict[str, Any]:
    """Return the wanted page of sources, or the last one, and how many there are on all pages."""
    term, is_in_state = fold(filters.get("term", "")), STATES.get(filters.get("state", ""), bool)
    accepted = [
        row
        for row in rows
        if filters.get("kind", row["kind"]) == row["kind"]
        and is_in_state(row)
        and (term in fold(row["label"]) or term in fold(row["id"]))
    ]
    page_count = max(1, -(-len(accepted) // PAGE_SIZE))
    number = min(page, page_count)
    shown = accepted[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]
    counts = {"page_count": page_count, "row_count": len(accepted), "total": len(rows)}
    return {"rows": [*map(described, shown)], "number": number, **counts}


def described(row: Mapping[str, Any]) -> Row:
    """Return a listed source as pages show it, with its status now and its state."""
    return {**row, "status": sources.status(row), "shown": sources.state(row)}


SAMPLE_COUNT = 5
# The page of a source reads this part of what a preview scans.
SHARE = 4
# The page of a source shows the operations of this many keys.
MOST_KEYS = 50
routes = Blueprint("sources", __name__)
routes.register_blueprint(preview.routes)


@routes.app_template_global()
def document_url(record: Mapping[str, Any]) -> str | None:
    """Return the address of a record's text; None if it is not a document or note.

    Args:
        record: `kind`, `id`, and optionally `offset` in UTF-16 code units.
    """
    if record["kind"] not in SUPPRESSIBLE:
        return None
    offset = record.get("offset")
    anchor = None if offset is None else "place"
    return url_for("documents.read", id=record["id"], offset=offset, _anchor=anchor)


@routes.get("/")
def list_all() -> str:
    """List the sources of the organization, approved or not."""
    filters, page = forms.filters(request.args, FILTERS), request.args.get("page", 1, type=number)
    with reading() as tenant:
        rows = stored(tenant)
    return render_template(
        "sources.html",
        page=page_of(rows, filters, page),
        filters=filters,
        kinds=KINDS,
        states=STATES,
        source_kinds=SOURCE_KINDS,
    )


@routes.get("/source")
def show() -> str:
    """Show one source: its facts, the keys that read it, and its newest records."""
    id_ = forms.check_id(request.args.get("id", ""))
    with reading() as tenant:
        source = report(tenant, id_)
        if not source:
            raise NotFound("The organization has no such source.")
        names = {row["id"]: row["display_name"] for row in list_members(tenant)}
    return render_template(
        "source.html",
        source=described(source),
        kind=SOURCE_KINDS[source["kind"]],
        can_hold=source["kind"] in HOLDING_KINDS,
        decider=names.get(source["decided_by"]),
        keys=source["exposes"],
        most_keys=MOST_KEYS,
        samples=_samples(id_),
        last_reads=reads.latest(source_id=id_),
    )


def _samples(source_id: str) -> list[Row] | None:
    """Return the newest records; None if reading takes too long."""
    try:
        with reading() as tenant:
            texts, _ = read_texts(tenant, source_id, Deadline(preview.SECONDS), SHARE)
    except ScanTimeout:
        return None
    return [*samples(source_id, texts, SAMPLE_COUNT)]


@routes.post("/source/decide")
def decide() -> Response:
    """Decide about sources; show a preview first if keys will read more."""
    name = request.form.get("decision", "")
    if name not in DECISIONS:
        raise BadRequest("There is no such decision. Nothing was changed.")
    ids = forms.ticked(request.form, "source")
    if name in EXPOSURES:
        return make_response(redirect(preview.address(name, ids), 303))
    with deciding(f"sources {name}") as decision:
        DECISIONS[name](decision, ids)
    if back := request.form.get("back"):
        return redirect_after(decision, "sources.show", id=forms.check_id(back))
    page = request.form.get("page", type=number)
    return redirect_after(
        decision, "sources.list_all", **forms.filters(request.form, FILTERS), page=page
    )
