"""Sign in with an OpenID Connect provider: redirect to it, and read the identity that it returns.

Authlib does discovery and PKCE, and checks the ID token. All secrets of one sign-in derive from the
secret in the browser's cookie, so that no other browser can use its code, and Redis stores none.
"""

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
from orgctx.decisions import DecisionRejected, members
from orgctx.desk.sessions import derive
from orgctx.observability import logs

SECONDS = 10
LEEWAY_SECONDS = 60
DISCOVERY = "/.well-known/openid-configuration"
ERROR_CODE = re.compile(r"[a-z_]{1,40}")
ALGORITHMS = "id_token_signing_alg_values_supported"
SHARED_SECRET = ("HS256", "HS384", "HS512")
# Errors that Authlib does not wrap if a response of the provider is malformed.
MALFORMED = (ValueError, KeyError, TypeError, AttributeError, RuntimeError)


class ProviderUnavailable(Exception):
    """The provider is unreachable, or does not support OpenID Connect."""


class NotAuthenticated(Exception):
    """The provider does not confirm who signs in, or its ID token is not valid."""


class Identity(NamedTuple):
    subject: str  # the issuer, `#` and the subject, as in members.parse
    email: str | None  # in lower case; None unless verified


class Provider:
    """The provider of ORGCTX_DESK_OIDC_ISSUER, with the desk as its client."""

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
        """Return the address at which a browser authenticates. Raises ProviderUnavailable.

        secret: the secret in the browser's cookie.
        """
        with _errors(ProviderUnavailable):
            self._check_metadata()
            started = self._client.create_authorization_url(
                self._redirect_uri,
                state=derive(secret, "state"),
                nonce=derive(secret, "nonce"),
                code_verifier=derive(secret, "verifier"),
            )
            return str(started["url"])

    def identify(self, secret: str, code: str) -> Identity:
        """Exchange the code of a sign-in for the identity of the person.

        Raises:
            ProviderUnavailable, NotAuthenticated
        """
        with _errors(NotAuthenticated):
            self._check_metadata()
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
        """Return the claims of the ID token, or if they lack the e-mail address, the userinfo."""
        if "email" in claims or "userinfo_endpoint" not in self._client.server_metadata:
            return claims
        userinfo = self._client.userinfo(token=token)
        if userinfo["sub"] != claims["sub"]:
            raise ValueError("the userinfo is about another subject")
        return userinfo

    def _identity(self, claims: Any, email_claims: Any) -> Identity:
        _, subject = members.parse(email=None, subject=f"{self.issuer}#{claims['sub']}")
        # The standard requires a boolean; do not accept other true values.
        email = email_claims.get("email") if email_claims.get("email_verified") is True else None
        try:
            return Identity(subject, members.parse(email=str(email), subject=None)[1])
        except DecisionRejected:
            return Identity(subject, None)

    def _check_metadata(self) -> None:
        metadata = self._client.load_server_metadata()
        if metadata["issuer"] != self.issuer:
            self._client.server_metadata.clear()
            raise ProviderUnavailable
        # Authlib accepts what the provider lists, also unsigned tokens.
        listed = metadata.get(ALGORITHMS, ["RS256"])
        metadata[ALGORITHMS] = [name for name in listed if name not in ("none", *SHARED_SECRET)]


@contextmanager
def _errors(error_class: type[Exception]) -> Iterator[None]:
    """Log errors of libraries, and raise ProviderUnavailable or this class instead."""
    try:
        yield
    except RequestException as error:
        logs.log_server(logging.WARNING, "The OpenID Connect provider is unavailable.", error)
        raise ProviderUnavailable from None
    except (AuthlibBaseError, JoseError, DecisionRejected, *MALFORMED) as error:
        code = str(getattr(error, "error", ""))
        reason = f": {code}" if ERROR_CODE.fullmatch(code) else ""
        logs.log_server(logging.WARNING, f"Sign-in with OpenID Connect failed{reason}.", error)
        raise error_class from None
