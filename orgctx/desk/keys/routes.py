"""The routes of the view, and how its pages find a key."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, current_app, url_for
from werkzeug.exceptions import NotFound

from orgctx.decisions import keys
from orgctx.desk.current import member
from orgctx.desk.database import reading

# The page with what a key reads.
AS_KEY = "as_key.page"

routes = Blueprint("keys", __name__, url_prefix="/keys")


def find(key_id: UUID) -> keys.Key:
    """Return a listed key of the organization. Raises NotFound."""
    with reading() as connection:
        rows = keys.listed(connection, member().organization_id, key_id=key_id)
    if not rows:
        raise NotFound("Your organization has no key with this id.")
    return rows[0]


def address_as_key(key_id: UUID) -> str | None:
    """Return the address at which a member sees what a key reads; None if the desk has none."""
    return url_for(AS_KEY, key_id=key_id) if AS_KEY in current_app.view_functions else None
