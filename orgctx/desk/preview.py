"""What an approval or inclusion would make readable, before a member decides it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from flask import Blueprint, Response, make_response, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import BadRequest, NotFound, ServiceUnavailable

from orgctx.decisions import Changed
from orgctx.decisions.findings import HIDDEN, INSTRUCTION, SECRET
from orgctx.decisions.preview import EXPOSURES, SUPPRESSIBLE, Preview, build_preview
from orgctx.decisions.sources import DECISIONS
from orgctx.desk import forms
from orgctx.desk.audit import redirect_after
from orgctx.desk.current import deciding, member, reading
from orgctx.stores.deadline import Deadline
from orgctx.stores.tenant_queue import TenantQueue

# How long a page may take to read and scan the texts of its sources.
SECONDS = 20.0
# How many pages scan at once, because each holds millions of characters, and how long others wait.
# Two organizations at a time, one page each; the tenants that wait take turns.
MOST_SCANS, WAIT_SECONDS = 2, 20.0
BUSY = "Other members are previewing decisions. Try again in a few seconds."
MOST_KEYS = 50
# gunicorn accepts 4,094 bytes of a request line.
LONGEST_ADDRESS = 3_500
CHECKS = {
    SECRET: "Looks like a secret",
    HIDDEN: "Characters that a reader does not see, or that reorder text",
    INSTRUCTION: "Reads like an instruction to an agent",
}

_scans = TenantQueue(MOST_SCANS)
routes = Blueprint("preview", __name__, url_prefix="/source/preview")


@routes.get("")
def show() -> str:
    """Show what becomes readable, for whom, and what in it deserves a look."""
    return _page(*_subject(request.args))


def _page(name: str, ids: list[str], problem: str = "") -> str:
    exposure = EXPOSURES[name]
    with scanning(), reading() as tenant:
        preview = build_preview(tenant, ids, exposure, Deadline(SECONDS))
    if not ids or len(preview.state) < len(ids):
        raise NotFound("The organization has no such source.")
    return render_template(
        "preview.html",
        preview=preview,
        name=name,
        exposure=exposure,
        ids=ids,
        groups=_groups(preview),
        suppressible=SUPPRESSIBLE,
        most_keys=MOST_KEYS,
        problem=problem,
    )


@routes.post("")
def decide() -> Response:
    """Decide about the sources; if they have changed since, preview the decision again."""
    name, ids = _subject(request.form)
    try:
        with deciding(f"sources {name}") as decision:
            DECISIONS[name](decision, ids)
    except Changed as error:
        return make_response(_page(name, ids, str(error)), 409)
    return redirect_after(decision, "sources.list_all")


def address(name: str, ids: Sequence[str]) -> str:
    """Return the address of a preview.

    Args:
        name: the name of the decision, a key of DECISIONS.

    Raises:
        BadRequest: the ids are too long for an address.
    """
    result = url_for("sources.preview.show", decision=name, source=ids)
    if len(result) > LONGEST_ADDRESS:
        raise BadRequest("These sources have long ids. Choose fewer at once. Nothing was changed.")
    return result


@contextmanager
def scanning() -> Iterator[None]:
    """Wait for the turn of the member's organization to scan. Raises ServiceUnavailable."""
    tenant = member().organization_id
    if not _scans.acquire(tenant, WAIT_SECONDS):
        raise ServiceUnavailable(BUSY, retry_after=int(SECONDS))
    try:
        yield
    finally:
        _scans.release(tenant)


def _subject(fields: MultiDict[str, str]) -> tuple[str, list[str]]:
    name = fields.get("decision", "")
    if name not in EXPOSURES:
        raise BadRequest("There is no such decision. Nothing was changed.")
    return name, forms.chosen(fields, "source")


def _groups(preview: Preview) -> list[dict[str, Any]]:
    """Return the findings by check, in the order of CHECKS."""
    return [
        {"title": title, "findings": rows, "more": preview.finding_counts[check] - len(rows)}
        for check, title in CHECKS.items()
        if (rows := [finding for finding in preview.findings if finding["check"] == check])
    ]
