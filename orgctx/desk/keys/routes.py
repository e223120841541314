"""The routes of the view, and how its pages find a key."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from orgctx.decisions import DecisionRejected, keys
from orgctx.desk.current import member
from orgctx.desk.database import reading

routes = Blueprint("keys", __name__, url_prefix="/keys")


def find(key_id: UUID) -> keys.Key:
    """Return a listed key of the organization. Raises NotFound."""
    with reading() as connection:
        rows = keys.listed(connection, member().organization_id, key_id=key_id)
    if not rows:
        raise NotFound("Your organization has no key with this id.")
    return rows[0]


@routes.errorhandler(DecisionRejected)
def reject(error: DecisionRejected) -> ResponseReturnValue:
    """Say why nothing was changed, with the way back to the key."""
    again = url_for("keys.show", **request.view_args) if request.view_args else None
    return render_template("problem.html", status=409, message=str(error), again=again), 409
