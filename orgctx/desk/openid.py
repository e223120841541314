"""Sign in with OpenID Connect: Authlib does discovery, state, nonce and PKCE, and checks ID tokens.

Until the provider sends the browser back, its state is in the session cookie. A link begins, not a
form, because `form-action` forbids that a form redirects to the provider.
"""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from authlib.common.errors import AuthlibBaseError
from authlib.integrations.flask_client import OAuth
from flask import Blueprint, Flask, current_app, request, session
from flask import url_for as url
from joserfc.errors import JoseError
from requests import RequestException
from werkzeug.exceptions import BadGateway
from werkzeug.wrappers import Response

from orgctx.config.settings import Config
from orgctx.decisions import DecisionRejected, members
from orgctx.desk import sessions
from orgctx.desk.current import desk, reading_all
from orgctx.desk.guard import public
from orgctx.desk.sessions import Session
from orgctx.desk.sign_in import Refused, limit_attempts, redirect_to, start
from orgctx.observability import logs
from orgctx.stores.db import run

SECONDS = 10
LEEWAY_SECONDS = 60
# What a provider may sign with. Without this list, Authlib accepts what the provider names.
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512",
              "EdDSA", "Ed25519"]  # fmt: skip
ERROR_CODE = re.compile(r"[a-z_]{1,40}")
# Errors that Authlib does not wrap if a response of the provider is malformed.
MALFORMED = (ValueError, KeyError, TypeError, AttributeError, RuntimeError)
EXTENSION = "orgctx.desk.openid"
# Begins the name of what Authlib keeps in the session.
STATE = "_state_openid"
RESTART = "This sign-in is not valid: it was used, is older than ten minutes, or began elsewhere."
DECLINED = "{host} did not sign you in."
UNAVAILABLE = "{host} cannot be reached. Try again soon, or ask your operator for a link."
UNKNOWN = (
    "{host} knows you, but no owner or admin of this desk has your verified e-mail address or your "
    "subject, {subject}. Your operator can link it (orgctx members identify)."
)

SEVERAL = (
    "{host} knows you, but you decide in several organizations of this desk. Ask your operator for "
    "a link (orgctx desk invite)."
)

routes = Blueprint("openid", __name__, url_prefix="/sign-in/openid")


def add(app: Flask, config: Config) -> None:
    """Let members sign in with the provider of the settings."""
    app.extensions[EXTENSION] = OAuth(app).register(
        "openid",
        client_id=config.desk_oidc_client_id,
        client_secret=config.desk_oidc_client_secret,
        server_metadata_url=f"{config.desk_oidc_issuer.rstrip('/')}/.well-known/openid-configuration",
        client_kwargs={
            "scope": "openid email",
            "code_challenge_method": "S256",
            "default_timeout": SECONDS,
        },
    )
    app.jinja_env.globals["provider"] = urlsplit(config.desk_oidc_issuer).netloc
    app.register_blueprint(routes)


@routes.get("")
@public
def begin() -> Response:
    """Send the browser to the provider."""
    sessions.key()
    limit_attempts()
    # A cookie has room for few.
    for name in [name for name in session if name.startswith(STATE)]:
        del session[name]
    with _errors():
        response: Response = _client().authorize_redirect(
            f"{desk().config.desk_url}/sign-in/openid/callback"
        )
    return response


@routes.get("/callback")
@public
def finish() -> Response:
    """Find out whom the provider has authenticated, and start a session."""
    issuer, state = desk().config.desk_oidc_issuer, request.args.get("state", "")
    if f"{STATE}_{state}" not in session or request.args.get("iss", issuer) != issuer:
        raise Refused(RESTART)
    with _errors():
        subject, email = _identity()
    with reading_all() as connection:
        rows = run(connection, "desk/find_identity", subject=subject, email=email)
    unknown = _text(UNKNOWN, subject=subject)
    if not rows:
        raise Refused(unknown)
    if len(rows) > 1:
        raise Refused(_text(SEVERAL))
    (row,) = rows
    authentication = _text("OpenID Connect {host}")
    start(Session(row["organization_id"], row["user_id"], row["now"], authentication), unknown)
    return redirect_to(url("sources.list_all"))


def _identity() -> tuple[str, str | None]:
    """Return the subject, as in members.parse, and the e-mail address if it is verified."""
    config, client = desk().config, _client()
    token = client.authorize_access_token(
        # Authlib compares the audience only if it is named here.
        claims_options={
            "iss": {"essential": True, "value": config.desk_oidc_issuer},
            "aud": {"essential": True, "value": config.desk_oidc_client_id},
        },
        leeway=LEEWAY_SECONDS,
    )
    claims = token["userinfo"]
    _, subject = members.parse(email=None, subject=f"{config.desk_oidc_issuer}#{claims['sub']}")
    if "email" not in claims and "userinfo_endpoint" in client.server_metadata:
        info = client.userinfo(token=token)
        if info["sub"] != claims["sub"]:
            raise ValueError("the userinfo is about another subject")
        claims = info
    # The standard requires a boolean; do not accept other true values.
    if claims.get("email_verified") is not True:
        return subject, None
    try:
        return subject, members.parse(email=str(claims.get("email")), subject=None)[1]
    except DecisionRejected:
        return subject, None


def _client() -> Any:
    """Return the client of the provider, whose metadata it has read and checked."""
    client: Any = current_app.extensions[EXTENSION]
    metadata = client.load_server_metadata()
    if metadata["issuer"] != desk().config.desk_oidc_issuer:
        metadata.clear()
        raise RequestException("the provider names another issuer")
    metadata["id_token_signing_alg_values_supported"] = ALGORITHMS
    return client


def _text(template: str, **values: str) -> str:
    return template.format(host=urlsplit(desk().config.desk_oidc_issuer).netloc, **values)


@contextmanager
def _errors() -> Iterator[None]:
    """Log errors of libraries, and raise BadGateway or Refused instead."""
    try:
        yield
    except RequestException as error:
        logs.log_server(logging.WARNING, "The OpenID Connect provider is unavailable.", error)
        raise BadGateway(_text(UNAVAILABLE)) from None
    except (AuthlibBaseError, JoseError, DecisionRejected, *MALFORMED) as error:
        code = str(getattr(error, "error", ""))
        reason = f": {code}" if ERROR_CODE.fullmatch(code) else ""
        logs.log_server(logging.WARNING, f"Sign-in with OpenID Connect failed{reason}.", error)
        raise Refused(_text(DECLINED)) from None
