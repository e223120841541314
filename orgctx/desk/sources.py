"""Sources: what is approved, and how fresh it is."""

from __future__ import annotations

from flask import Blueprint, render_template

from orgctx.decisions.sources import stored
from orgctx.desk.current import member
from orgctx.desk.database import reading

TITLE = "Sources"

routes = Blueprint("sources", __name__)


@routes.get("/")
def list_all() -> str:
    """List the sources of the organization, approved or not."""
    with reading() as connection:
        rows = stored(connection, member().organization_id)
    return render_template("sources.html", rows=rows)
