"""Change, narrow, rotate and revoke a key, if it is still as its page showed it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from marshmallow import EXCLUDE, Schema, ValidationError, fields, validate
from werkzeug.exceptions import BadRequest

from orgctx.decisions import Decision, DecisionRejected, keys
from orgctx.desk import forms
from orgctx.desk.database import deciding
from orgctx.desk.keys import reach
from orgctx.desk.keys.fields import ALL, CHOSEN, Rights, Values, as_values, messages, offered, sent
from orgctx.desk.keys.issuing import show_secret
from orgctx.desk.keys.routes import find, routes
from orgctx.desk.keys.usage import mark_unused, scope_use

HOUR, DAY = 60 * 60, 24 * 60 * 60
# How long an old key still works after a rotation, in seconds.
OLD_KEY_ENDS = {0: "now", HOUR: "in 1 hour", DAY: "in 1 day", 7 * DAY: "in 7 days"}
# What a page says after a redirect.
DONE = {
    "changed": "The key was changed. Its next request follows the new rights.",
    "narrowed": "The key lost the scopes that it did not use.",
    "revoked": "The key was revoked. Its next request is rejected.",
}


class Rotation(Schema):
    """When the old key ends, and the lifetime of the new one; 0 for that of the old one."""

    class Meta:
        unknown = EXCLUDE

    old_seconds = fields.Integer(required=True, validate=validate.OneOf(tuple(OLD_KEY_ENDS)))
    days = fields.Integer(required=True, validate=validate.OneOf((0, *keys.LIFETIMES)))


@routes.get("/<uuid:key_id>/change")
def show_change(key_id: UUID) -> str:
    """Show the form to change a key."""
    key = find(key_id)
    return _form(key, as_values(key), {}, keys.state(key))


@routes.post("/<uuid:key_id>/change")
def change(key_id: UUID) -> ResponseReturnValue:
    """Change the name and rights of a key."""
    key = find(key_id)
    try:
        values: Values = Rights().load(sent())
    except ValidationError as error:
        return _form(
            key, sent(), messages(error), forms.shown(request.form).get(str(key_id), "")
        ), 400
    with _deciding("keys change") as decision:
        keys.change(
            decision,
            key_id,
            name=values["name"],
            access=values["access"],
            scopes=values["scopes"],
            source_ids=values["source_ids"] if values["limit"] == CHOSEN else (),
            all_sources=values["limit"] == ALL,
        )
    return _done(key_id, "changed")


@routes.post("/<uuid:key_id>/narrow")
def narrow(key_id: UUID) -> ResponseReturnValue:
    """Take away the scopes that a key did not use."""
    used = [*scope_use(find(key_id)).used]
    if not used:
        raise DecisionRejected("The key used no scope. Revoke it instead. Nothing was changed.")
    with _deciding("keys narrow") as decision:
        keys.change(decision, key_id, scopes=used)
    return _done(key_id, "narrowed")


@routes.post("/<uuid:key_id>/rotate")
def rotate(key_id: UUID) -> ResponseReturnValue:
    """Replace a key by a new one, and show its secret."""
    find(key_id)
    try:
        values: dict[str, Any] = Rotation().load(request.form)
    except ValidationError:
        raise BadRequest("Choose when the old key ends, and a lifetime.") from None
    with _deciding("keys rotate") as decision:
        new, old = keys.rotate(
            decision, key_id, old_seconds=values["old_seconds"], days=values["days"] or None
        )
        unreadable = keys.unreadable(decision, new)
        mark_unused(new["id"])
        return show_secret(new, "", old=old, unreadable=unreadable)


@routes.post("/<uuid:key_id>/revoke")
def revoke(key_id: UUID) -> ResponseReturnValue:
    """Revoke a key."""
    find(key_id)
    with _deciding("keys revoke") as decision:
        keys.revoke(decision, key_id)
    return _done(key_id, "revoked")


@contextmanager
def _deciding(command: str) -> Iterator[Decision]:
    """Let the member decide about a key, if it is still as the form says."""
    with deciding(command) as decision:
        decision.expect(forms.shown(request.form))
        yield decision


def _done(key_id: UUID, done: str) -> ResponseReturnValue:
    return redirect(url_for("keys.show", key_id=key_id, done=done), 303)


def _form(key: keys.Key, values: Values, errors: dict[str, Any], state: str) -> str:
    scopes, sources = reach.choices()
    return render_template(
        "keys/change.html",
        key=key,
        state=state,
        values=values,
        errors=errors,
        scopes=scopes,
        accesses=keys.ACCESSES,
        sources=offered(sources, values.get("source_ids", [])),
        source_count=len(sources),
    )
