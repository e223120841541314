"""The audit log: who decided what and when, with the state before and after."""

from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for

from orgctx.decisions import Decision, audit_log, list_members
from orgctx.decisions.audit_log import Filters
from orgctx.decisions.sentences import author, names_of, sentence
from orgctx.decisions.undo import can_undo, undoable
from orgctx.decisions.undo import undo as undo_decision
from orgctx.desk import forms
from orgctx.desk.current import deciding, member, number, reading

NOTHING = "Nothing was changed: it was so already."
EFFECT = "This holds from the next request of each key."

routes = Blueprint("audit", __name__)


@routes.get("/audit")
def list_all() -> str:
    """List audit records, newest first."""
    before = request.args.get("before", type=number)
    with reading() as tenant:
        people, commands = list_members(tenant), audit_log.commands(tenant)
        member_ids = [str(row["id"]) for row in people]
        choices = {"member": member_ids, "command": commands, "object": None}
        fields = forms.filters(request.args, choices)
        records, next_before = audit_log.page(tenant, Filters(**fields), before=before)
        names = names_of(tenant, records)
    return render_template(
        "audit.html",
        rows=[
            row | {"author": author(row), "sentence": sentence(row, names), "can_undo": is_last}
            for row, is_last in zip(records, undoable(records), strict=True)
        ],
        next_before=next_before,
        fields=fields,
        before=before,
        members=people,
        commands=commands,
    )


@routes.post(f"/audit/<int(min=1, max={2**63 - 1}):sequence>/undo")
def undo(sequence: int) -> Response:
    """Undo a decision, which is a decision of its own."""
    with deciding("audit undo", as_shown=False) as decision:
        undo_decision(decision, sequence)
    return redirect_after(decision, "audit.list_all")


def redirect_after(decision: Decision, endpoint: str, **values: Any) -> Response:
    """Redirect to a page that says what a decision did, and offers to undo it."""
    address = url_for(endpoint, **values, decided=decision.sequence or 0)
    return make_response(redirect(address, 303))


@routes.app_template_global()
def last_decision() -> dict[str, Any] | None:
    """Return what the decision that `decided` names did: `sentence`, and `undo`, its sequence.

    None if the address names no decision of the member who is signed in.
    """
    sequence = request.args.get("decided", type=number)
    if sequence is None:
        return {"sentence": NOTHING} if "decided" in request.args else None
    with reading() as tenant:
        row = audit_log.find(tenant, sequence)
        if not row or row["decided_by"] != member().user_id:
            return None
        names = names_of(tenant, [row])
    text = f"You {sentence(row, names)}. {EFFECT}"
    return {"sentence": text, "undo": sequence if can_undo(row) else None}
