"""The page of one key: what it may read, how it is used, and what can be decided about it."""

from __future__ import annotations

from uuid import UUID

from flask import render_template, request

from orgctx.decisions import keys
from orgctx.decisions.key_usage import NARROW_DAYS
from orgctx.desk.keys import chart, reach
from orgctx.desk.keys.changing import DONE, OLD_KEY_ENDS
from orgctx.desk.keys.routes import find, routes
from orgctx.desk.keys.usage import known_scope_use, per_day, with_usage


@routes.get("/<uuid:key_id>")
def show(key_id: UUID) -> str:
    """Show one key."""
    (key,) = with_usage([find(key_id)])
    use, unknown = known_scope_use(key)
    return render_template(
        "keys/one.html",
        key=key,
        state=keys.state(key),
        states=keys.STATES,
        is_rotated=keys.is_rotated(key["name"]),
        reads=reach.of_key(key),
        chart=chart.draw(per_day(key_id)),
        use=use,
        unknown=unknown,
        days=NARROW_DAYS,
        lifetimes=keys.LIFETIMES,
        old_key_ends=OLD_KEY_ENDS,
        done=DONE.get(request.args.get("done", "")),
    )
