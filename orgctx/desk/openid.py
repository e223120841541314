"""Sign in with OpenID Connect.

The cookie of a session is SameSite=Strict, so the browser does not send it when the provider sends
it back. A second cookie, SameSite=Lax, belongs to the sign-in until it ends. Pages that move on by
themselves take the place of redirects: `form-action` forbids redirects of a form to the provider,
and after a redirect from there the browser would not send the new session.
"""

from hmac import compare_digest

from flask import Blueprint, Flask, Response, current_app, make_response, render_template, request
from flask import url_for as url
from werkzeug.exceptions import BadGateway

from orgctx.config.settings import Config
from orgctx.desk.current import desk, reading_all
from orgctx.desk.guard import PRIVATE, public, set_cookie
from orgctx.desk.provider import Identity, NotAuthenticated, Provider, ProviderUnavailable
from orgctx.desk.sessions import LINK_SECONDS, Entry, derive
from orgctx.desk.sign_in import MAX_SECRET_LENGTH, limit_attempts, redirect_to, refuse, start
from orgctx.stores.db import Row, run

COOKIE = "__Host-orgctx-desk-openid"
# Kinds of secrets: of a sign-in at the provider, and of a choice between organizations.
STATE, CHOICE = "openid", "choice"
EXTENSION = "orgctx.desk.provider"
RESTART = "This sign-in is not valid: it was used, is older than ten minutes, or began elsewhere."
DECLINED = "{host} did not sign you in."
UNAVAILABLE = "{host} cannot be reached. Try again soon, or ask your operator for a link."
UNKNOWN = (
    "{host} knows you, but no owner or admin of this desk has your verified e-mail address or your "
    "subject, {subject}. Your operator can link it (orgctx members identify)."
)

routes = Blueprint("openid", __name__, url_prefix="/sign-in/openid")


def add(app: Flask, config: Config) -> None:
    """Let members sign in with the provider of the settings."""
    provider = Provider(app, config)
    app.extensions[EXTENSION] = provider
    app.jinja_env.globals["provider"] = provider.host
    app.register_blueprint(routes)


@routes.post("")
@public
def begin() -> Response:
    """Send the browser to the provider."""
    limit_attempts()
    provider = _provider()
    secret = desk().sessions.keep(STATE, {})
    try:
        address = provider.address(secret)
    except ProviderUnavailable:
        raise BadGateway(UNAVAILABLE.format(host=provider.host)) from None
    return _keep(_move_on(f"Sign in with {provider.host}", address), secret)


@routes.get("/callback")
@public
def finish() -> Response:
    """Find out whom the provider has authenticated, and start a session."""
    provider = _provider()
    secret = request.cookies.get(COOKIE, "")[:MAX_SECRET_LENGTH]
    if (
        desk().sessions.take(STATE, secret) is None
        or not _same(request.args.get("state", ""), derive(secret, "state"))
        or not _same(request.args.get("iss", provider.issuer), provider.issuer)
    ):
        return refuse(RESTART)
    if "code" not in request.args:
        return refuse(DECLINED.format(host=provider.host))
    try:
        identity = provider.identify(secret, request.args["code"])
    except ProviderUnavailable:
        raise BadGateway(UNAVAILABLE.format(host=provider.host)) from None
    except NotAuthenticated:
        return refuse(DECLINED.format(host=provider.host))
    return _admit(identity)


@routes.post("/organization")
@public
def choose() -> Response:
    """Start a session in one of the organizations that the page offered."""
    secret = request.cookies.get(COOKIE, "")[:MAX_SECRET_LENGTH]
    identity = desk().sessions.take(CHOICE, secret)
    chosen = request.form.get("organization_id")
    # Again, because an operator may have removed the identity of a member meanwhile.
    for row in _members(Identity(*identity)) if identity else ():
        if str(row["organization_id"]) == chosen and (session := _start(row, secret)):
            return _forget(set_cookie(redirect_to(url("sources.list_all")), session))
    return refuse(RESTART)


def _admit(identity: Identity) -> Response:
    """Start a session, or let the browser choose the organization."""
    rows = _members(identity)
    if len(rows) > 1:
        secret = desk().sessions.keep(CHOICE, [*identity], *map(_entry, rows))
        return _keep(make_response(render_template("choose.html", rows=rows)), secret)
    session = _start(rows[0]) if rows else None
    if session is None:
        return refuse(UNKNOWN.format(host=_provider().host, subject=identity.subject))
    return _forget(set_cookie(_move_on("You are signed in", url("sources.list_all")), session))


def _provider() -> Provider:
    provider: Provider = current_app.extensions[EXTENSION]
    return provider


def _members(identity: Identity) -> list[Row]:
    with reading_all() as connection:
        return run(connection, "desk/find_identity", **identity._asdict())


def _entry(row: Row) -> Entry:
    return Entry(row["organization_id"], row["user_id"])


def _start(row: Row, choice: str = "") -> str | None:
    return start(_entry(row), f"OpenID Connect {_provider().host}", CHOICE, choice)


def _move_on(title: str, address: str) -> Response:
    return make_response(render_template("moving.html", title=title, address=address))


def _keep(response: Response, secret: str) -> Response:
    response.set_cookie(COOKIE, secret, LINK_SECONDS, samesite="Lax", **PRIVATE)
    return response


def _forget(response: Response) -> Response:
    response.delete_cookie(COOKIE, samesite="Lax", **PRIVATE)
    return response


def _same(text: str, expected: str) -> bool:
    return compare_digest(text.encode(), expected.encode())
