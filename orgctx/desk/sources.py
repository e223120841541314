"""Sources: what is approved, how fresh it is, and decisions about them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from werkzeug.exceptions import BadRequest, NotFound

from orgctx.bundle.records import SOURCE_ID_LENGTH
from orgctx.decisions import run
from orgctx.decisions.rehearsal import OPENINGS
from orgctx.decisions.scan import ScanTimeout, read_texts, samples
from orgctx.decisions.source_report import report
from orgctx.decisions.sources import DECISIONS, stored
from orgctx.desk import forms, rehearsal
from orgctx.desk.current import member
from orgctx.desk.database import deciding, reading
from orgctx.desk.document_links import document_url
from orgctx.desk.source_list import PAGE_SIZE, STATES, Filters, Row, described, page_of
from orgctx.operations.source_kinds import KINDS, SOURCE_KINDS
from orgctx.stores.deadline import Deadline

TITLE = "Sources"
SAMPLE_COUNT = 5
# The page of a source shows the operations of this many keys.
MOST_KEYS = 50
# What a source is after a decision, by the name of the decision.
DONE = {opening.name: opening.done for opening in OPENINGS.values()} | {
    opening.closing: opening.undone for opening in OPENINGS.values()
}

routes = Blueprint("sources", __name__)
routes.register_blueprint(rehearsal.routes)
routes.add_app_template_global(document_url)


@routes.get("/")
def list_all() -> str:
    """List the sources of the organization, approved or not."""
    filters = Filters.of(request.args)
    with reading() as connection:
        rows = stored(connection, member().organization_id)
    return render_template(
        "sources.html",
        page=page_of(rows, filters),
        filters=filters,
        kinds=KINDS,
        states=STATES,
        source_kinds=SOURCE_KINDS,
        done=_done(),
    )


@routes.get("/source")
def show() -> str:
    """Show one source: its facts, the keys that read it, and its newest records."""
    id_ = forms.check_id(request.args.get("id", ""), SOURCE_ID_LENGTH)
    organization_id = member().organization_id
    with reading() as connection:
        rows = stored(connection, organization_id, [id_])
        source = report(connection, organization_id, id_)
        if not rows or not source:
            raise NotFound("The organization has no such source.")
        deciders = run(
            connection,
            "read_member",
            organization_id=organization_id,
            user_id=source["decided_by"],
        )
    return render_template(
        "source.html",
        source=source | described(rows[0]),
        kind=SOURCE_KINDS[source["kind"]],
        decider=deciders[0]["display_name"] if deciders else None,
        keys=[key for key in source["exposes"] if key["operations"]],
        most_keys=MOST_KEYS,
        samples=_samples(organization_id, id_),
        done=_done(),
    )


def _samples(organization_id: UUID, source_id: str) -> list[Row] | None:
    """Return the newest records of a source; None if reading them takes too long."""
    deadline = Deadline(rehearsal.SECONDS)
    try:
        with reading() as connection:
            texts, _ = read_texts(connection, organization_id, source_id, deadline, PAGE_SIZE)
    except ScanTimeout:
        return None
    return [*samples(source_id, texts, SAMPLE_COUNT)]


@routes.post("/source/decide")
def decide() -> Response:
    """Withdraw or exclude the chosen sources; show a rehearsal before opening them."""
    name = request.form.get("decision", "")
    if name not in DECISIONS:
        raise BadRequest("There is no such decision. Nothing was changed.")
    ids = forms.source_ids(request.form, PAGE_SIZE)
    if ids and name in OPENINGS:
        return make_response(redirect(rehearsal.address(name, ids), 303))
    if ids:
        with deciding(f"sources {name}") as decision:
            decision.expect(forms.shown(request.form))
            DECISIONS[name](decision, ids)
    address: dict[str, Any] = {"done": name, "number": len(ids)}
    if back := request.form.get("back"):
        back = forms.check_id(back, SOURCE_ID_LENGTH)
        return make_response(redirect(url_for("sources.show", id=back, **address), 303))
    address |= Filters.of(request.form).address()
    return make_response(redirect(url_for("sources.list_all", **address), 303))


def _done() -> str:
    """Return what the last decision did, as the address says it."""
    name, number = request.args.get("done", ""), request.args.get("number", 0, type=int)
    if name not in DONE:
        return ""
    if not 0 < number <= PAGE_SIZE:
        return "Nothing was changed: choose at least one source."
    noun = "source is" if number == 1 else "sources are"
    return f"{number} {noun} {DONE[name]} now. This holds from the next request of each key."
