"""An OpenID Connect provider: where it authenticates, and whom it has authenticated.

Authlib does discovery and PKCE, and checks the ID token. All secrets of one sign-in derive from the
secret in the browser's cookie, so that no other browser can use its code, and Redis stores none.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from authlib.common.errors import AuthlibBaseError
from authlib.integrations.flask_client import OAuth
from flask import Flask
from joserfc.errors import JoseError
from requests import RequestException

from orgctx.config.settings import Config
from orgctx.decisions import DecisionRejected, identities
from orgctx.desk.sessions import derive
from orgctx.observability import logs

SECONDS = 10
LEEWAY_SECONDS = 60
DISCOVERY = "/.well-known/openid-configuration"
ERROR_CODE = re.compile(r"[a-z_]{1,40}")
# What an unexpected response of a provider raises besides.
MALFORMED = (ValueError, KeyError, TypeError, AttributeError, RuntimeError)


class ProviderUnavailable(Exception):
    """The provider is unreachable, or not one of OpenID Connect."""


class NotAuthenticated(Exception):
    """The provider does not confirm who signs in, or its ID token is not valid."""


class Identity(NamedTuple):
    """subject: with the issuer, as operators name it. email: lower case, None unless verified."""

    subject: str
    email: str | None


class Provider:
    """The provider with this issuer, and the client that it knows."""

    def __init__(self, app: Flask, config: Config) -> None:
        self.issuer = config.desk_oidc_issuer
        self.host = urlsplit(self.issuer).netloc
        self._client_id = config.desk_oidc_client_id
        self._redirect_uri = f"{config.desk_url}/sign-in/openid/callback"
        self._client: Any = OAuth(app).register(
            "openid",
            client_id=config.desk_oidc_client_id,
            client_secret=config.desk_oidc_client_secret,
            server_metadata_url=self.issuer.rstrip("/") + DISCOVERY,
            client_kwargs={
                "scope": "openid email",
                "code_challenge_method": "S256",
                "default_timeout": SECONDS,
            },
        )

    def address(self, secret: str) -> str:
        """Return where the browser with this secret authenticates. Raises ProviderUnavailable."""
        with _errors(ProviderUnavailable):
            self._check_issuer()
            started = self._client.create_authorization_url(
                self._redirect_uri,
                state=derive(secret, "state"),
                nonce=derive(secret, "nonce"),
                code_verifier=derive(secret, "verifier"),
            )
            return str(started["url"])

    def identify(self, secret: str, code: str) -> Identity:
        """Exchange a code for the identity of whom the provider authenticated.

        Raises:
            ProviderUnavailable, NotAuthenticated
        """
        with _errors(NotAuthenticated):
            self._check_issuer()
            token = self._client.fetch_access_token(
                self._redirect_uri, code=code, code_verifier=derive(secret, "verifier")
            )
            claims = self._client.parse_id_token(
                token,
                nonce=derive(secret, "nonce"),
                # Authlib compares the audience only if it is named here.
                claims_options={
                    "iss": {"essential": True, "value": self.issuer},
                    "aud": {"essential": True, "value": self._client_id},
                },
                leeway=LEEWAY_SECONDS,
            )
            return self._identity(claims, self._email_claims(token, claims))

    def _email_claims(self, token: Any, claims: Any) -> Any:
        """Return the claims that contain the e-mail address: those of the ID token, or others."""
        if "email" in claims or "userinfo_endpoint" not in self._client.server_metadata:
            return claims
        described = self._client.userinfo(token=token)
        if described["sub"] != claims["sub"]:
            raise ValueError("the subject of the user info")
        return described

    def _identity(self, claims: Any, email_claims: Any) -> Identity:
        _, subject = identities.parse(email=None, subject=f"{self.issuer}#{claims['sub']}")
        # A string or a number would be another claim than the one of the standard.
        email = email_claims.get("email") if email_claims.get("email_verified") is True else None
        try:
            return Identity(subject, identities.parse(email=str(email), subject=None)[1])
        except DecisionRejected:
            return Identity(subject, None)

    def _check_issuer(self) -> None:
        if self._client.load_server_metadata()["issuer"] != self.issuer:
            self._client.server_metadata.clear()
            raise ProviderUnavailable


@contextmanager
def _errors(otherwise: type[Exception]) -> Iterator[None]:
    """Log errors of libraries, and raise one of this module."""
    try:
        yield
    except RequestException as error:
        logs.log_server(logging.WARNING, "The OpenID Connect provider is unavailable.", error)
        raise ProviderUnavailable from None
    except (AuthlibBaseError, JoseError, DecisionRejected, *MALFORMED) as error:
        code = str(getattr(error, "error", ""))
        reason = f": {code}" if ERROR_CODE.fullmatch(code) else ""
        logs.log_server(logging.WARNING, f"Sign-in with OpenID Connect failed{reason}.", error)
        raise otherwise from None
