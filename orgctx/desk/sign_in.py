"""Sign in with a link that an operator made, and sign out.

The secret of the link is in its fragment, which browsers do not send, so that no log and no
preview of the link contains it or uses it up. A script copies it into the form.
"""

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from werkzeug.exceptions import TooManyRequests

from orgctx.decisions import NotAuthorized
from orgctx.desk.current import deciding_as, desk
from orgctx.desk.guard import COOKIE, public, remove_cookie, set_cookie
from orgctx.desk.sessions import ATTEMPT_SECONDS, LINK, Entry
from orgctx.gate.client_address import client_address

# A secret has 43 characters; a longer field is not looked up.
MAX_SECRET_LENGTH = 100
REFUSED = (
    "This link is not valid: it was used, is older than ten minutes, or is incomplete. "
    "Ask your operator for another one, which `orgctx desk invite` prints."
)
TOO_MANY = "Too many attempts to sign in from your address. Wait ten minutes."

routes = Blueprint("sign_in", __name__)


@routes.get("/sign-in")
@public
def show() -> Response:
    """Show how to sign in."""
    return make_response(render_template("sign_in.html"))


@routes.post("/sign-in")
@public
def sign_in() -> Response:
    """Use up a link, and start a session."""
    limit_attempts()
    # A member may paste the whole link.
    link = request.form.get("secret", "").strip().rpartition("#")[2][:MAX_SECRET_LENGTH]
    accepted = desk().sessions.accept(link)
    secret = start(accepted, LINK, kept=link) if accepted else None
    if secret is None:
        return refuse(REFUSED)
    return set_cookie(redirect_to(url_for("sources.list_all")), secret)


@routes.post("/sign-out")
def sign_out() -> Response:
    """End the session."""
    desk().sessions.end(request.cookies[COOKIE])
    return remove_cookie(redirect_to(url_for("sign_in.show")))


def limit_attempts() -> None:
    """Raise TooManyRequests after too many attempts from one address."""
    config = desk().config
    address = client_address(request.environ, config.trusted_proxy_hops, config.ipv6_prefix)
    if not desk().sessions.attempt(address):
        raise TooManyRequests(TOO_MANY, retry_after=ATTEMPT_SECONDS)


def start(entry: Entry, authentication: str, kind: str = LINK, kept: str = "") -> str | None:
    """Start a session for an owner or admin, and end the one that the browser had.

    Args:
        authentication: how the member was authenticated, as the audit log says it.
        kind, kept: the secret that was taken for it, as in `Sessions.start`.

    Returns:
        the secret of the session for the cookie, None if the member may not decide, or if all
        sessions of the member are ended meanwhile.
    """
    who = (entry.organization_id, entry.user_id, authentication)
    try:
        with deciding_as(*who, "desk sign-in") as decision:
            decision.after[str(entry.user_id)] = {"signed_in": True}
    except NotAuthorized:
        return None
    if old_secret := request.cookies.get(COOKIE):
        desk().sessions.end(old_secret)
    return desk().sessions.start(entry, authentication, kind, kept)


def refuse(problem: str) -> Response:
    """Show the page to sign in, and why it failed."""
    return make_response(render_template("sign_in.html", problem=problem), 403)


def redirect_to(address: str) -> Response:
    return make_response(redirect(address, 303))
