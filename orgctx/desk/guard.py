"""Decide before each request who is signed in, and whether a change comes from a page of the desk.

Every view needs a session, except those marked with `public`. A change needs the origin of the
desk: browsers say from which page a form comes, and no page can change what they say.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from flask import Response, current_app, g, make_response, redirect, request, session, url_for
from werkzeug.exceptions import Forbidden, RequestTimeout

from orgctx.desk.current import Member, desk, reading
from orgctx.desk.sessions import COOKIE, SESSION_SECONDS, Session, key
from orgctx.http.body import IS_READ, receiving
from orgctx.stores.deadline import Deadline

READS = frozenset({"GET", "HEAD", "OPTIONS"})
# The size of a form without a session.
MAX_PUBLIC_BYTES = 4 * 1024
# How long a form may take to arrive, because a slow one occupies a connection.
FORM_SECONDS = 10.0
SLOW = f"The form took longer than {FORM_SECONDS:g} seconds to arrive. Nothing was changed."
FOREIGN = "The request does not come from a page of the desk."

View = TypeVar("View", bound=Callable[..., Any])


def public(view: View) -> View:
    """Mark a view that needs no session."""
    view.is_public = True  # type: ignore[attr-defined]
    return view


def admit() -> Response | None:
    """Let a request through, redirect to the page to sign in, or raise Forbidden."""
    g.member = None
    view = current_app.view_functions.get(request.endpoint or "")
    if request.method not in READS:
        _check_origin()
    if view is None or getattr(view, "is_public", False):
        request.max_content_length = MAX_PUBLIC_BYTES
    else:
        g.member = find_member()
        if g.member is None:
            return _to_sign_in()
    _receive_form()
    return None


def _check_origin() -> None:
    """Raise Forbidden unless a page of the desk sent the request.

    Sec-Fetch-Site is absent from older browsers, and where the desk has no TLS and no loopback.
    """
    headers = request.headers
    is_own = headers.getlist("Origin") == [desk().config.desk_url]
    if not is_own or headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        raise Forbidden(FOREIGN)


def find_member() -> Member | None:
    """Return who is signed in, None if the session has ended or the member may not decide."""
    key()
    signed_in = Session.from_json(session["member"]) if "member" in session else None
    return member_of(signed_in, SESSION_SECONDS) if signed_in else None


def member_of(found: Session, seconds: int) -> Member | None:
    """Return the member of a session or link that lasts some seconds, None if it has ended."""
    with reading(found.organization_id) as tenant:
        row = found.find(tenant, seconds)
    if row is None:
        return None
    name = row["display_name"] or str(found.user_id)
    who = (found.organization_id, found.user_id, found.authentication)
    return Member(*who, name, row["role"], row["organization_name"] or row["slug"])


def _to_sign_in() -> Response:
    # A sign-in at a provider goes on, and a browser forgets an empty cookie.
    session.pop("member", None)
    session.modified = True
    # Only a form shows that there was a session if the browser forgot it.
    has_ended = (COOKIE in request.cookies and not session) or request.method not in READS
    return make_response(redirect(url_for("sign_in.show", ended=1 if has_ended else None), 303))


def _receive_form() -> None:
    """Parse the form. Raises RequestTimeout if it arrives too slowly."""
    if request.method in READS:
        return
    connection, is_read = request.environ.get("gunicorn.socket"), False
    with receiving(connection, Deadline(FORM_SECONDS)):
        len(request.form)  # reads the body
        is_read = True
    if not is_read:
        # The server then waits for no rest of it.
        request.environ[IS_READ] = False
        raise RequestTimeout(SLOW)
