"""What an approval or inclusion would make readable, before a member decides it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import BadRequest, NotFound, ServiceUnavailable

from orgctx.decisions import DecisionRejected, knowledge
from orgctx.decisions.findings import HIDDEN, INSTRUCTION, SECRET
from orgctx.decisions.rehearsal import OPENINGS, SUPPRESSIBLE, Opening, Rehearsal, rehearse
from orgctx.decisions.sources import DECISIONS
from orgctx.desk import forms
from orgctx.desk.current import member
from orgctx.desk.database import deciding, reading
from orgctx.desk.documents import MAX_ID_LENGTH
from orgctx.desk.source_list import PAGE_SIZE
from orgctx.stores.deadline import Deadline

# How long a page may take to read and scan the texts of its sources.
SECONDS = 20.0
# How many pages scan at once, because each holds millions of characters, and how long others wait.
MOST_SCANS, WAIT_SECONDS = 2, 2.0
BUSY = "Other members are rehearsing decisions. Try again in a few seconds."
MOST_KEYS = 50
# gunicorn accepts 4,094 bytes of a request line.
LONGEST_ADDRESS = 3_500
CHECKS = {
    SECRET: "Looks like a secret",
    HIDDEN: "Characters that a reader does not see, or that reorder text",
    INSTRUCTION: "Reads like an instruction to an agent",
}

_scans = BoundedSemaphore(MOST_SCANS)
routes = Blueprint("rehearsal", __name__, url_prefix="/source/rehearsal")


@routes.get("")
def show() -> str | Response:
    """Show what becomes readable, for whom, and what in it deserves a look."""
    opening, ids = _subject(request.args)
    with _scanning(), reading() as connection:
        rehearsal = rehearse(connection, member().organization_id, ids, opening, Deadline(SECONDS))
    if not ids or len(rehearsal.state) < len(ids):
        raise NotFound("The organization has no such source.")
    return render_template(
        "rehearsal.html",
        rehearsal=rehearsal,
        opening=opening,
        ids=ids,
        groups=_groups(rehearsal),
        suppressible=SUPPRESSIBLE,
        most_keys=MOST_KEYS,
        is_suppressed="suppressed" in request.args,
    )


@routes.post("")
def decide() -> Response:
    """Approve or include the sources, if they are still as they were rehearsed."""
    opening, ids = _subject(request.form)
    try:
        with deciding(f"sources {opening.name}") as decision:
            decision.expect(forms.shown(request.form))
            DECISIONS[opening.name](decision, ids)
    except DecisionRejected as error:
        again = address(opening.name, ids)
        page = render_template("problem.html", status=409, message=str(error), again=again)
        return make_response(page, 409)
    done = url_for("sources.list_all", done=opening.name, number=len(ids))
    return make_response(redirect(done, 303))


@routes.post("/suppress")
def suppress() -> Response:
    """Suppress a document, and show the rehearsal again.

    Compares no state: if another member has suppressed it meanwhile, it stays suppressed.
    """
    opening, ids = _subject(request.form)
    document = forms.check_id(request.form.get("document", ""), MAX_ID_LENGTH)
    with deciding("knowledge suppress") as decision:
        knowledge.suppress(decision, [document])
    return make_response(redirect(address(opening.name, ids, suppressed=1), 303))


def address(name: str, ids: Sequence[str], **done: Any) -> str:
    """Return the address of a rehearsal.

    Args:
        name: the name of the decision, a key of OPENINGS.

    Raises:
        BadRequest: the ids are too long for an address.
    """
    anchor = "findings" if done else None
    result = url_for("sources.rehearsal.show", decision=name, source=ids, **done, _anchor=anchor)
    if len(result) > LONGEST_ADDRESS:
        raise BadRequest("These sources have long ids. Choose fewer at once. Nothing was changed.")
    return result


@contextmanager
def _scanning() -> Iterator[None]:
    """Wait until fewer than MOST_SCANS other pages scan. Raises ServiceUnavailable."""
    if not _scans.acquire(timeout=WAIT_SECONDS):
        raise ServiceUnavailable(BUSY, retry_after=int(SECONDS))
    try:
        yield
    finally:
        _scans.release()


def _subject(fields: MultiDict[str, str]) -> tuple[Opening, list[str]]:
    opening = OPENINGS.get(fields.get("decision", ""))
    if opening is None:
        raise BadRequest("There is no such decision. Nothing was changed.")
    return opening, forms.source_ids(fields, PAGE_SIZE)


def _groups(rehearsal: Rehearsal) -> list[dict[str, Any]]:
    """Return the findings by check, in the order of CHECKS."""
    findings = {check: [] for check in CHECKS}  # type: dict[str, list[dict[str, Any]]]
    for finding in rehearsal.findings:
        findings[finding["check"]].append(finding)
    return [
        {
            "title": CHECKS[check],
            "findings": rows,
            "more": rehearsal.finding_counts[check] - len(rows),
        }
        for check, rows in findings.items()
        if rows
    ]
