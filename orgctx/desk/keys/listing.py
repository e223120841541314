"""The list of keys."""

from __future__ import annotations

from flask import render_template, request

from orgctx.decisions import keys
from orgctx.decisions.key_usage import NARROW_DAYS
from orgctx.desk.current import member
from orgctx.desk.database import reading
from orgctx.desk.keys.routes import routes
from orgctx.desk.keys.usage import used_ids, with_usage

TITLE = "Keys"
PAGE_SIZE = 50
# Requests for later pages show this one.
LAST_PAGE = 10_000


@routes.get("")
def list_all() -> str:
    """List a page of the keys of the organization, newest first."""
    state = request.args.get("state", "")
    state = state if state in keys.STATES else ""
    unused = "unused" in request.args
    page = min(max(1, request.args.get("page", 1, type=int)), LAST_PAGE)
    used = used_ids() if unused else None
    with reading() as connection:
        # One more shows whether there is a next page.
        rows = keys.listed(
            connection,
            member().organization_id,
            state=state or None,
            except_ids=used,
            row_offset=(page - 1) * PAGE_SIZE,
            row_limit=PAGE_SIZE + 1,
        )
    return render_template(
        "keys/list.html",
        rows=with_usage(rows[:PAGE_SIZE]),
        state=state,
        states=keys.STATES,
        unused=unused,
        days=NARROW_DAYS,
        page=page,
        has_next=len(rows) > PAGE_SIZE,
    )
