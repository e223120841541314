"""Sessions and links to sign in: signed by the desk, and compared with the member at each request.

A session is Flask's cookie. Its key needs a secret of the database and the URL of the desk's login,
so that neither a copy of the database nor a setting alone can sign. `members.signed_out_at` ends
all sessions and links of a member.
"""

import hmac
from contextlib import suppress
from dataclasses import astuple, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from flask import Flask, current_app, request
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import BadData, URLSafeSerializer

from orgctx.config.settings import Config
from orgctx.desk.current import desk, reading_all
from orgctx.desk.settings import login_url
from orgctx.errors import ServiceUnavailable
from orgctx.stores.db import Connection, Row, Tenant, run

SESSION_SECONDS = 12 * 60 * 60
LINK_SECONDS = 10 * 60
# How the audit log names the authentication of a member who opened a link of an operator.
LINK = "link"
# A browser stores it only over TLS or on loopback, and sends it only to this host.
COOKIE = "__Host-orgctx-desk"
# Lax, because the browser comes back from an OpenID Connect provider. The guard refuses changes
# from other sites. Requests do not postpone the end.
SETTINGS: dict[str, Any] = {
    "SESSION_COOKIE_NAME": COOKIE,
    "SESSION_COOKIE_SECURE": True,
    "SESSION_COOKIE_SAMESITE": "Lax",
    "SESSION_REFRESH_EACH_REQUEST": False,
    "PERMANENT_SESSION_LIFETIME": SESSION_SECONDS,
}


@dataclass(frozen=True)
class Session:
    """Who signed in, or is invited to. authentication: how, as the audit log says it."""

    organization_id: UUID
    user_id: UUID
    at: datetime  # of the database
    authentication: str = LINK

    def to_json(self) -> list[str]:
        return [str(value) for value in astuple(self)]

    @classmethod
    def from_json(cls, values: list[str]) -> "Session":
        organization_id, user_id, at, authentication = values
        return cls(UUID(organization_id), UUID(user_id), datetime.fromisoformat(at), authentication)

    def find(self, tenant: Tenant, seconds: int) -> Row | None:
        """Return the row of desk/read_member, None if it has ended or the member may not decide.

        seconds: after which it ends.
        """
        rows = tenant.run("desk/read_member", user_id=self.user_id, at=self.at, seconds=seconds)
        return rows[0] if rows else None


class SignedCookie(SecureCookieSessionInterface):
    """Flask's sessions. Without the database, which has the key, there are none."""

    def get_signing_serializer(self, app: Flask) -> Any:
        # A probe does not wait for the database.
        if not app.secret_key and request.path != "/healthz":
            with suppress(ServiceUnavailable), reading_all() as connection:
                app.secret_key = _key(_read_secret(connection), desk().config)
        return super().get_signing_serializer(app)


def key() -> bytes:
    """Return the key of sessions and links. Raises ServiceUnavailable if it was not read yet."""
    if not current_app.secret_key:
        raise ServiceUnavailable("The desk could not read its signing key.")
    return current_app.secret_key  # type: ignore[return-value]


def invite(connection: Connection, config: Config, organization_id: UUID, user_id: UUID) -> str:
    """Return the secret of a link that signs a member in."""
    row = _read_secret(connection)
    invited = Session(organization_id, user_id, row["now"])
    return str(_links(_key(row, config)).dumps(invited.to_json()))


def read_link(secret: str) -> Session | None:
    """Return whom a link invites, None unless the desk's key signed it."""
    try:
        return Session.from_json(_links(key()).loads(secret))
    except BadData:
        return None


def _links(key: bytes) -> URLSafeSerializer:
    return URLSafeSerializer(key, salt="link to sign in")


def _read_secret(connection: Connection) -> Row:
    (row,) = run(connection, "desk/read_signing_secret")
    return row


def _key(row: Row, config: Config) -> bytes:
    return hmac.digest(row["secret"].encode(), login_url(config).encode(), "sha256")
