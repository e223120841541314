"""Decide before each request who is signed in, and whether a change comes from a page of the desk.

Every view needs a session, except those marked with `public`. A change needs the origin of the
desk: browsers say from which page a form comes, and no page can change what they say.
"""

from collections.abc import Callable
from time import monotonic
from typing import Any, TypeVar

from flask import Response, current_app, g, make_response, redirect, request, url_for
from werkzeug.exceptions import ClientDisconnected, Forbidden, RequestTimeout

from orgctx.decisions import AUTHORITIES
from orgctx.desk.current import Member, desk, reading
from orgctx.desk.sessions import SESSION_SECONDS, Session
from orgctx.http.body import Body, receiving
from orgctx.stores.deadline import Deadline

# A browser stores it only over TLS or on loopback, and sends it only to this host.
COOKIE = "__Host-orgctx-desk"
# Settings of cookies that no script reads.
PRIVATE: dict[str, Any] = {"secure": True, "httponly": True, "path": "/"}
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
    is_public = view is None or getattr(view, "is_public", False)
    if request.method not in READS:
        _check_origin()
    if is_public:
        request.max_content_length = MAX_PUBLIC_BYTES
        _receive_form()
        return None
    g.member = find_member(request.cookies.get(COOKIE))
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


def find_member(secret: str | None) -> Member | None:
    """Return the member of a session; end the session if the member may no longer decide."""
    if not secret or not (session := desk().sessions.find(secret)):
        return None
    current_member = read_member(session)
    if current_member is None:
        desk().sessions.end(secret)
    return current_member


def read_member(session: Session) -> Member | None:
    """Return the member of a session, None unless an owner or admin."""
    with reading(session.organization_id) as tenant:
        rows = tenant.run("desk/read_member", user_id=session.user_id)
    if not rows or rows[0]["role"] not in AUTHORITIES:
        return None
    (row,) = rows
    name = row["display_name"] or str(row["user_id"])
    return Member(session, name, row["role"], row["organization_name"] or row["slug"])


def set_cookie(response: Response, secret: str) -> Response:
    """Let a browser keep the secret of a session until it ends."""
    response.set_cookie(COOKIE, secret, SESSION_SECONDS, samesite="Strict", **PRIVATE)
    return response


def remove_cookie(response: Response) -> Response:
    """Let a browser forget the session."""
    response.delete_cookie(COOKIE, samesite="Strict", **PRIVATE)
    return response


def _to_sign_in() -> Response:
    # A browser forgets the cookie when the session ends; then only a form shows that there was one.
    has_ended = COOKIE in request.cookies or request.method not in READS
    address = url_for("sign_in.show", ended=1 if has_ended else None)
    response = make_response(redirect(address, 303))
    return remove_cookie(response) if COOKIE in request.cookies else response


def _receive_form() -> None:
    """Parse the form. Raises RequestTimeout if it arrives too slowly."""
    if request.method in READS:
        return
    deadline = Deadline(FORM_SECONDS)
    connection = request.environ.get("gunicorn.socket")
    try:
        with receiving(Body(deadline, monotonic(), connection, tenant=None)):
            len(request.form)  # reads the body
    except ClientDisconnected:
        if monotonic() < deadline.ends_at:
            raise
        raise RequestTimeout(SLOW) from None
