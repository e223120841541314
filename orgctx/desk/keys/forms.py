"""Issue, change, rotate and revoke a key, and show a secret once.

The secret is only in the answer to the form: it is never in an address, a session, a log or a
table. The id of the key is derived from an id in the form, so that a browser that sends the form
again does not issue a second key. A key is changed only if it is still as its page showed it.
"""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID, uuid4, uuid5

from flask import make_response, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from orgctx.clients import CLIENTS, configuration, works_with
from orgctx.config.settings import DEFAULT_BASE_URL
from orgctx.decisions import Decision, keys, sources
from orgctx.decisions.scopes import explain, summary
from orgctx.desk import forms
from orgctx.desk.audit import redirect_after
from orgctx.desk.current import deciding, desk, member, reading
from orgctx.desk.keys.pages import OLD_KEY_ENDS, find, routes
from orgctx.operations.source_kinds import CONTEXT_SCOPE, SCOPES

# Whether a key reads all sources, or chosen ones.
ALL, CHOSEN = "all", "chosen"
FIRST_VALUES = {"access": "both", "scopes": [CONTEXT_SCOPE], "limit": ALL, "days": "30"}
# Fields that a form can send several times.
LISTS = ("scopes", "source_ids")
# How many sources a form offers.
MOST_SOURCES = 200

Values = dict[str, Any]


# What may be wrong with a form, besides the name.
ACCESS, SCOPE, SOURCE = "Choose an access.", "Choose at least one scope.", "Choose a source."
LIFETIME = "Choose a lifetime."


@routes.get("/issue")
def show_issue() -> str:
    """Show the form to issue a key."""
    return _issue_form(FIRST_VALUES)


@routes.post("/issue")
def issue() -> ResponseReturnValue:
    """Issue a key, and show its secret."""
    rights, problems = _rights()
    once, days = request.form.get("once", type=UUID), _number("days", keys.LIFETIMES)
    if problems or once is None or days is None:
        return _issue_form(_sent(), [*problems, *([] if days else [LIFETIME])]), 400
    # Derived, so that no form can name a key of another organization.
    key_id = uuid5(member().organization_id, str(once))
    with deciding("keys issue") as decision:
        return _show_secret(decision, keys.issue(decision, key_id=key_id, days=days, **rights))


@routes.get("/<uuid:key_id>/change")
def show_change(key_id: UUID) -> str:
    """Show the form to change a key."""
    key = find(key_id)
    values = {
        "name": key["name"] or "",
        "access": key["access"],
        "scopes": key["scopes"],
        "limit": ALL if key["sources"] is None else CHOSEN,
        "source_ids": key["sources"] or [],
    }
    return _change_form(key, values, keys.state(key))


@routes.post("/<uuid:key_id>/change")
def change(key_id: UUID) -> ResponseReturnValue:
    """Change the name and rights of a key."""
    key = find(key_id)
    rights, problems = _rights()
    if problems:
        state = forms.shown(request.form).get(str(key_id), "")
        return _change_form(key, _sent(), state, problems), 400
    with deciding("keys change") as decision:
        keys.change(decision, key_id, **rights)
    return redirect_after(decision, "keys.show", key_id=key_id)


@routes.post("/<uuid:key_id>/rotate")
def rotate(key_id: UUID) -> ResponseReturnValue:
    """Replace a key by a new one, and show its secret."""
    find(key_id)
    old_seconds, days = _number("old_seconds", OLD_KEY_ENDS), _number("days", (0, *keys.LIFETIMES))
    if old_seconds is None or days is None:
        raise BadRequest("Choose when the old key ends, and a lifetime.")
    with deciding("keys rotate") as decision:
        new, old = keys.rotate(decision, key_id, old_seconds=old_seconds, days=days or None)
        return _show_secret(decision, new, old=old)


@routes.post("/<uuid:key_id>/revoke")
def revoke(key_id: UUID) -> ResponseReturnValue:
    """Revoke a key."""
    find(key_id)
    with deciding("keys revoke") as decision:
        keys.revoke(decision, key_id)
    return redirect_after(decision, "keys.show", key_id=key_id)


def _show_secret(
    decision: Decision, key: keys.Key, old: keys.Key | None = None
) -> ResponseReturnValue:
    """Return the page with the secret of a new key, and the configurations of its clients.

    Call it before the transaction ends, so that a key is stored only if its secret can be shown.

    Args:
        old: the key that the new one replaces.
    """
    unreadable = keys.unreadable(decision, key)
    base_url = desk().config.base_url or DEFAULT_BASE_URL
    clients = {
        client: configuration(name, base_url)
        for name, client in CLIENTS.items()
        if works_with(name, key["access"])
    }
    return make_response(
        render_template(
            "keys/secret.html", key=key, unreadable=unreadable, clients=clients, old=old
        )
    )


def _rights() -> tuple[Values, list[str]]:
    """Return the rights that the form chooses, as a key has them, and what is wrong with them."""
    values = _sent()
    ids = [*map(forms.check_id, values["source_ids"])]
    rights = {
        "name": values.get("name", ""),
        "access": values.get("access"),
        "scopes": values["scopes"],
        "sources": None if values.get("limit", ALL) == ALL else ids,
    }
    is_right = {
        keys.NAME_RULE: keys.is_name(rights["name"]),
        ACCESS: rights["access"] in keys.ACCESSES,
        SCOPE: rights["scopes"] and {*rights["scopes"]} <= {*SCOPES},
        SOURCE: rights["sources"] is None or ids,
    }
    return rights, [text for text, right in is_right.items() if not right]


def _number(name: str, choices: Iterable[int]) -> int | None:
    """Return the choice that the form names in decimal digits."""
    return {str(choice): choice for choice in choices}.get(request.form.get(name, ""))


def _sent() -> Values:
    """Return the fields of the form as they were sent."""
    form = request.form
    return {**form.to_dict(), **{name: form.getlist(name) for name in LISTS}}


def _issue_form(values: Values, problems: Sequence[str] = ()) -> str:
    return _form("keys/issue.html", values, problems, lifetimes=keys.LIFETIMES, once=uuid4())


def _change_form(key: keys.Key, values: Values, state: str, problems: Sequence[str] = ()) -> str:
    return _form("keys/change.html", values, problems, key=key, state=state)


def _form(template: str, values: Values, problems: Sequence[str], **shown: Any) -> str:
    """Show a form with what each scope opens now, and the sources, approved or not."""
    with reading() as tenant:
        stored = sources.stored(tenant)
    # The chosen sources come first.
    chosen = values.get("source_ids", [])
    offered = sorted(stored, key=lambda row: row["id"] not in chosen)[:MOST_SOURCES]
    return render_template(
        template,
        values=values,
        problems=problems,
        scopes=[row | {"summary": summary(row)} for row in explain(stored)],
        accesses=keys.ACCESSES,
        sources=offered,
        source_count=len(stored),
        **shown,
    )
