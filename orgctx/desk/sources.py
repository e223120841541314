"""Sources: what is approved, how fresh it is, and decisions about them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import BadRequest, NotFound

from orgctx.decisions import members, sources
from orgctx.decisions.findings import SECRET
from orgctx.decisions.preview import APPROVE, CLOSINGS, INCLUDE, OPENINGS, SUPPRESSIBLE, Preview
from orgctx.decisions.scan import ScanTimeout, certain_findings, read_texts, samples
from orgctx.decisions.scopes import report
from orgctx.decisions.sources import DECISIONS, HOLDING_KINDS, stored
from orgctx.desk import forms, preview, reads
from orgctx.desk.audit import made
from orgctx.desk.current import deciding, number, reading
from orgctx.desk.forms import PAGE_SIZE
from orgctx.operations.source_kinds import KINDS, SOURCE_KINDS
from orgctx.schemas.text import fold
from orgctx.stores.db import Row
from orgctx.stores.deadline import Deadline

LONGEST_TERM = 100


# Which sources each filter by decision shows.
STATES: dict[str, Callable[[Row], bool]] = {
    "readable": lambda row: all(row[opening.column] for opening in (APPROVE, INCLUDE)),
    APPROVE.undone: lambda row: not row[APPROVE.column],
    INCLUDE.undone: lambda row: not row[INCLUDE.column],
}


@dataclass(frozen=True)
class Filters:
    """What a page of the list shows. Empty: all."""

    kind: str = ""
    state: str = ""
    term: str = ""  # part of the name or id
    page: int = 1

    @classmethod
    def of(cls, fields: MultiDict[str, str]) -> "Filters":
        """Return the filters of an address or form; values that do not exist filter nothing."""
        kind, state = fields.get("kind", ""), fields.get("state", "")
        return cls(
            kind=kind if kind in KINDS else "",
            state=state if state in STATES else "",
            term=fields.get("term", "").strip()[:LONGEST_TERM],
            page=fields.get("page", 1, type=number),
        )

    def address(self, **changes: Any) -> dict[str, Any]:
        """Return the parameters of an address, without those that filter nothing."""
        members = asdict(replace(self, **changes))
        return {name: value for name, value in members.items() if value not in ("", 1)}

    def accepts(self, row: Row) -> bool:
        """Return whether the list shows a source."""
        term = fold(self.term)
        return (
            (not self.kind or row["kind"] == self.kind)
            and (not self.state or STATES[self.state](row))
            and (term in fold(row["label"]) or term in fold(row["id"]))
        )


def page_of(rows: Sequence[Row], filters: Filters) -> dict[str, Any]:
    """Return the wanted page of sources, or the last one, and how many there are on all pages."""
    accepted = [row for row in rows if filters.accepts(row)]
    page_count = max(1, -(-len(accepted) // PAGE_SIZE))
    number = min(filters.page, page_count)
    shown = accepted[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]
    counts = {"page_count": page_count, "row_count": len(accepted), "total": len(rows)}
    return {"rows": [*map(described, shown)], "number": number, **counts}


def described(row: Mapping[str, Any]) -> Row:
    """Return a listed source as pages show it, with its status now and its state."""
    return {**row, "status": sources.status(row), "shown": sources.state(row)}


SAMPLE_COUNT, MOST_SECRETS = 5, 20
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
    filters = Filters.of(request.args)
    with reading() as tenant:
        rows = stored(tenant)
    return render_template(
        "sources.html",
        page=page_of(rows, filters),
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
        names = {row["id"]: row["display_name"] for row in members.stored(tenant)}
    return render_template(
        "source.html",
        source=described(source),
        kind=SOURCE_KINDS[source["kind"]],
        can_hold=source["kind"] in HOLDING_KINDS,
        decider=names.get(source["decided_by"]),
        keys=source["exposes"],
        most_keys=MOST_KEYS,
        **_newest(id_),
        last_reads=reads.latest(source_id=id_),
    )


def _newest(source_id: str) -> dict[str, Any]:
    """Return the newest records, and the findings of secrets; None if reading takes too long."""
    deadline = Deadline(preview.SECONDS)
    try:
        with reading() as tenant:
            texts, _ = read_texts(tenant, source_id, deadline, SHARE)
    except ScanTimeout:
        return {"samples": None}
    secrets = certain_findings(source_id, texts)
    found = Preview([], [], [], [], secrets[:MOST_SECRETS], {SECRET: len(secrets)})
    return {
        "samples": [*samples(source_id, texts, SAMPLE_COUNT)],
        "groups": preview.groups(found),
        "preview": found,
        "suppressible": SUPPRESSIBLE,
    }


@routes.post("/source/decide")
def decide() -> Response:
    """Withdraw or exclude one source; show a preview before several, and before opening any."""
    name = request.form.get("decision", "")
    if name not in DECISIONS:
        raise BadRequest("There is no such decision. Nothing was changed.")
    filters = Filters.of(request.form).address()
    ids = forms.ticked(request.form, "source")
    if name in OPENINGS or (name in CLOSINGS and len(ids) > 1):
        return make_response(redirect(preview.address(name, ids), 303))
    with deciding(f"sources {name}") as decision:
        decision.expect(forms.shown(request.form))
        DECISIONS[name](decision, ids)
    if back := request.form.get("back"):
        return made(decision, "sources.show", id=forms.check_id(back))
    return made(decision, "sources.list_all", **filters)
