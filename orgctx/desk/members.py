"""Members: who may decide."""

from __future__ import annotations

from flask import Blueprint, render_template

from orgctx.decisions import run
from orgctx.desk.current import member
from orgctx.desk.database import reading

TITLE = "Members"

routes = Blueprint("members", __name__)


@routes.get("/members")
def list_all() -> str:
    """List the members of the organization, including removed ones."""
    with reading() as connection:
        rows = run(connection, "list_members", organization_id=member().organization_id)
    return render_template("members.html", rows=rows)
