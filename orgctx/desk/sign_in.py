"""Sign in with a link that an operator made, and sign out.

The secret of the link is in its fragment, which browsers do not send, so that no log and no
preview of the link contains it or uses it up. A script sends it with the form.
"""

from hashlib import sha256

from flask import Blueprint, Response, make_response, redirect, render_template, request, session
from flask import url_for as url
from werkzeug.exceptions import TooManyRequests

from orgctx.decisions import NotAuthorized, members
from orgctx.desk.current import deciding, deciding_as, desk, member
from orgctx.desk.guard import member_of, public
from orgctx.desk.sessions import LINK_SECONDS, Session, read_link
from orgctx.gate.client_address import client_address
from orgctx.stores.quota import WINDOW_SECONDS

# A link is shorter; a longer field is not read.
MAX_LINK_LENGTH = 500
# Attempts to sign in from one address within WINDOW_SECONDS.
MAX_ATTEMPTS = 10
REFUSED = (
    "This link is not valid: it was used, is older than ten minutes, or is incomplete. "
    "Ask your operator for another one, which `orgctx desk invite` prints."
)
TOO_MANY = "Too many attempts to sign in from your address. Wait a minute."

routes = Blueprint("sign_in", __name__)


class Refused(Exception):
    """Nobody is signed in. The message says why."""


@routes.app_errorhandler(Refused)
def refuse(problem: Refused) -> Response:
    """Show the page to sign in, and why it failed."""
    return make_response(render_template("sign_in.html", problem=problem), 403)


@routes.get("/sign-in")
@public
def show() -> Response:
    """Show how to sign in."""
    return make_response(render_template("sign_in.html"))


@routes.post("/sign-in")
@public
def sign_in() -> Response:
    """Show whom a link signs in; once this is confirmed, use it up and start a session."""
    # A member may paste the whole link.
    link = request.form.get("secret", "").strip().rpartition("#")[2]
    invited = read_link(link[:MAX_LINK_LENGTH])
    who = member_of(invited, LINK_SECONDS) if invited else None
    if invited is None or who is None or desk().quota.was_used(_mark(link), desk().deadline()):
        limit_attempts()
        raise Refused(REFUSED)
    if "confirmed" not in request.form:
        return make_response(render_template("confirm.html", who=who, secret=link))
    start(invited, REFUSED, link)
    return redirect_to(url("sources.list_all"))


@routes.post("/sign-out")
def sign_out() -> Response:
    """End all sessions of the member."""
    with deciding("desk end") as decision:
        members.sign_out(decision, member().user_id)
        decision.after[str(member().user_id)] = {"signed_out": True}
    session.clear()
    return redirect_to(url("sign_in.show"))


def limit_attempts() -> None:
    """Raise TooManyRequests after too many attempts from one address."""
    config = desk().config
    address = client_address(request.environ, config.trusted_proxy_hops)
    counted = f"sign-in:{address}"
    charge = desk().quota.charge_address("page", counted, MAX_ATTEMPTS, desk().deadline())
    if not charge.admitted:
        raise TooManyRequests(TOO_MANY, retry_after=WINDOW_SECONDS)


def start(invited: Session, problem: str, link: str = "") -> None:
    """Start a session for an owner or admin.

    Args:
        invited: whom a link or a provider lets sign in, and since when.
        link: is used up.

    Raises:
        Refused: with the problem, if the member may not decide, signed out since then, or the link
            was used.
    """
    who = (invited.organization_id, invited.user_id, invited.authentication)
    try:
        with deciding_as(*who, "desk sign-in") as decision:
            decision.lock_member()
            row = invited.find(decision, LINK_SECONDS)
            if row is None or (link and not _use(link)):
                raise Refused(problem)
            decision.after[str(invited.user_id)] = {"signed_in": True}
    except NotAuthorized:
        raise Refused(problem) from None
    session.clear()
    session["member"] = Session(*who[:2], row["now"], invited.authentication).to_json()
    session.permanent = True


def _use(link: str) -> bool:
    """Use up a link. Returns whether it was not used before."""
    return desk().quota.use_once(_mark(link), LINK_SECONDS, desk().deadline())


def _mark(link: str) -> str:
    return f"link:{sha256(link.encode()).hexdigest()}"


def redirect_to(address: str) -> Response:
    return make_response(redirect(address, 303))
