"""The list of keys, and the page of a key: what it may read, its use, and possible decisions."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from flask import Blueprint, render_template, request
from werkzeug.exceptions import NotFound

from orgctx.decisions import keys, sources
from orgctx.decisions.scopes import explain, summary
from orgctx.desk import forms, reads
from orgctx.desk.current import desk, member, number, reading

PAGE_SIZE = 50
# Requests for later pages show this one.
LAST_PAGE = 10_000
HOUR, DAY = 60 * 60, 24 * 60 * 60
# How long an old key still works after a rotation, in seconds.
OLD_KEY_ENDS = {0: "now", HOUR: "in 1 hour", DAY: "in 1 day", 7 * DAY: "in 7 days"}
# For how many days requests are counted on the pages.
USAGE_DAYS = 30

routes = Blueprint("keys", __name__, url_prefix="/keys")


@routes.get("")
def list_all() -> str:
    """List a page of the keys of the organization, newest first."""
    state = forms.filters(request.args, {"state": keys.STATES}).get("state")
    page = min(request.args.get("page", 1, type=number), LAST_PAGE)
    with reading() as tenant:
        # One more shows whether there is a next page.
        first, limit = (page - 1) * PAGE_SIZE, PAGE_SIZE + 1
        rows = keys.listed(tenant, state=state, row_offset=first, row_limit=limit)
    return render_template(
        "keys/list.html",
        rows=_with_usage(rows[:PAGE_SIZE]),
        state=state,
        states=keys.STATES,
        page=page,
        has_next=len(rows) > PAGE_SIZE,
    )


@routes.get("/<uuid:key_id>")
def show(key_id: UUID) -> str:
    """Show one key."""
    (key,) = _with_usage([find(key_id)])
    with reading() as tenant:
        scopes = explain(sources.stored(tenant), key["sources"])
        unreadable = keys.unreadable(tenant, key)
        replaced = keys.replaced(tenant, key)
    return render_template(
        "keys/one.html",
        key=key,
        unreadable=unreadable if key["state"] == "active" else {},
        state=keys.state(key),
        states=keys.STATES,
        is_rotated=keys.is_rotated(key["name"]),
        replaced=replaced,
        reads=[row | {"summary": summary(row)} for row in scopes if row["scope"] in key["scopes"]],
        days=USAGE_DAYS,
        last_reads=reads.latest(key_id=key_id),
        lifetimes=keys.LIFETIMES,
        old_key_ends=OLD_KEY_ENDS,
    )


def find(key_id: UUID) -> keys.Key:
    """Return a listed key of the organization. Raises NotFound."""
    with reading() as tenant:
        rows = keys.listed(tenant, key_id=key_id)
    if not rows:
        raise NotFound("Your organization has no key with this id.")
    return rows[0]


def _with_usage(rows: Sequence[keys.Key]) -> list[dict[str, Any]]:
    """Add `last_used_at` and `request_count` of USAGE_DAYS to listed keys."""
    quota, organization_id, deadline = desk().quota, member().organization_id, desk().deadline()
    requests = quota.usage(organization_id, USAGE_DAYS, deadline)
    uses = quota.last_used(organization_id, [row["id"] for row in rows], deadline)
    return [
        {
            **row,
            "last_used_at": last_used_at,
            "request_count": sum(counts.get(row["id"], 0) for counts in requests.values()),
        }
        for row, last_used_at in zip(rows, uses, strict=True)
    ]
