"""Signing in with OpenID Connect, and ID tokens that are not valid.

tests/desk/test_browser.py signs in with a real provider.
"""

from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import AbstractContextManager
from hashlib import sha256
from html import unescape
from time import time
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from orgctx.desk.sessions import COOKIE
from tests.desk import identity
from tests.desk.conftest import ORIGIN, Browser, desk_of
from tests.desk.identity import OTHER_KEY, Claims, Spoiled, signed
from tests.support import factories as make
from tests.support.deployment import Deployment, Result

CALLBACK = f"{ORIGIN}/sign-in/openid/callback"
OTHER = make.uuid("other organization")


def desk_with(deployment: Deployment, issuer: str) -> AbstractContextManager[Flask]:
    """The desk of a deployment that knows a provider, while the block runs."""
    return desk_of(
        deployment,
        desk_oidc_issuer=issuer,
        desk_oidc_client_id=identity.CLIENT_ID,
        desk_oidc_client_secret=identity.CLIENT_SECRET,
    )


def identify(
    deployment: Deployment, *options: str, name: str = "Owner", by: str = "Owner"
) -> Result:
    who = ("--organization", "acme", "--by", by)
    return deployment.cli("members", "identify", name, *who, *options)


def begin(browser: Browser) -> str:
    """Follow the link. Returns the address at the provider."""
    response = browser.get("/sign-in/openid")
    assert response.status_code == 302
    return str(response.location)


def text_of(response: TestResponse) -> str:
    return unescape(response.get_data(as_text=True))


@pytest.fixture
def provider() -> Iterator[Spoiled]:
    """A provider whose ID tokens are valid, until the test changes it."""
    with identity.spoiled() as provider:
        yield provider


@pytest.fixture
def openid_desk(own_acme: Deployment, provider: Spoiled) -> Iterator[Flask]:
    """A desk whose owner has the verified address ada@acme.example."""
    identify(own_acme, "--email", "Ada@acme.example").done()
    with desk_with(own_acme, provider.issuer) as app:
        yield app


def come_back(browser: Browser, provider: Spoiled, **changes: str) -> TestResponse:
    """Begin, and come back from the provider as if it had authenticated the browser."""
    query = parse_qs(urlsplit(begin(browser)).query)
    provider.nonce = query["nonce"][0]
    values = {"code": "any", "state": query["state"][0], **changes}
    return browser.get("/sign-in/openid/callback", query_string=values)


def test_verified_address_signs_in_with_pkce_state_and_nonce(
    openid_desk: Flask, provider: Spoiled, own_acme: Deployment
) -> None:
    """The provider exchanges a code only with the verifier of the browser that began."""
    browser, host = Browser(openid_desk), urlsplit(provider.issuer).netloc
    assert f"Sign in with {host}" in text_of(browser.get("/sign-in"))
    # Sign-ins that nobody finished do not fill the cookie.
    sizes = [len(browser.cookie or "") for _ in range(5) if begin(browser)]
    assert max(sizes) < 2_000
    response = browser.get("/sign-in/openid")
    assert identity.CLIENT_SECRET not in response.get_data(as_text=True)
    cookie = response.headers["Set-Cookie"]
    assert cookie.startswith("__Host-")
    for word in ("Secure", "HttpOnly", "SameSite=Lax", "Path=/"):
        assert word in cookie
    query = dict(parse_qsl(urlsplit(response.location).query))
    assert (query["response_type"], query["redirect_uri"]) == ("code", CALLBACK)
    provider.nonce = query["nonce"]
    values = {"code": "any", "state": query["state"]}
    response = browser.get("/sign-in/openid/callback", query_string=values)
    assert response.location == "/"
    ((_, form),) = [request for request in provider.requests if request[0] == "/token"]
    digest = urlsafe_b64encode(sha256(form["code_verifier"].encode()).digest()).rstrip(b"=")
    assert (query["code_challenge_method"], query["code_challenge"]) == ("S256", digest.decode())
    (cookie,) = response.headers.getlist("Set-Cookie")
    assert cookie.startswith(f"{COOKIE}=")
    assert "Owner, owner" in text_of(browser.get("/"))
    (record,) = own_acme.cli("audit", "--organization", "acme", "--json", "--limit", "1").json()
    assert record["command"] == "desk sign-in"
    assert record["authentication"] == f"OpenID Connect {host}"


def unsigned(values: Claims) -> str:
    """Return the token without its signature."""
    return ".".join(("eyJhbGciOiJub25lIn0", signed(values, identity.KEY).split(".")[1], ""))


TOKEN, NOBODY = "did not sign you in", "no owner or admin of this desk has"
INFO = {"email": "ada@acme.example", "email_verified": True}
ENDPOINT = {"userinfo_endpoint": "/userinfo"}
# What a provider answers, as attributes of Spoiled; and what the page then says.
SPOILED: list[tuple[str, dict[str, Any]]] = [
    *((TOKEN, {"claims": claims}) for claims in (
        {"aud": "another client"},
        {"aud": ["another client", "a third"], "azp": identity.CLIENT_ID},
        {"aud": None},
        {"iss": "https://login.example.com"},
        {"exp": int(time()) - 3600},
        {"exp": None},
        {"nonce": "of another sign-in"},
        {"nonce": None},
        {"sub": None},
        {"sub": "ada\u202e"},
        {"iat": None},
    )),
    *((TOKEN, {"token": token}) for token in (
        unsigned,
        lambda values: signed(values, OTHER_KEY),
        lambda values: signed(values, identity.KEY)[:-9] + "AAAAAAAAA",
        lambda values: signed(values, identity.KEY)[9:],
    )),
    # A provider that lists no signature does not allow it.
    (TOKEN, {"metadata": {"id_token_signing_alg_values_supported": ["none"]}, "token": unsigned}),
    (TOKEN, {"metadata": ENDPOINT, "claims": {"email": None}, "user_info": {"sub": "eve", **INFO}}),
    *((NOBODY, {"claims": {"email_verified": value}}) for value in (False, None, "true", 1)),
    # Of nobody, and similar ones; among them a Kelvin sign, which is no k.
    *((NOBODY, {"claims": {"email": email}}) for email in (
        "nobody@acme.example", "ada@acme.example.evil.example",
        "\u0131da@acme.example", "\u212aim@acme.example", "ada@acme.example\n", "", None, 7,
    )),
]  # fmt: skip


@pytest.fixture(scope="module")
def identified(acme: Deployment) -> Deployment:
    for name, email in (("Owner", "ada@acme.example"), ("Admin", "kim@acme.example")):
        identify(acme, "--email", email, name=name).done()
    return acme


@pytest.mark.parametrize(("text", "answers"), SPOILED)
def test_what_is_not_valid_or_verified_signs_nobody_in(
    identified: Deployment, redis_url: str, provider: Spoiled, text: str, answers: Claims
) -> None:
    """The page does not tell who is a member."""
    vars(provider).update(answers)
    if endpoint := provider.metadata.get("userinfo_endpoint"):
        provider.metadata = {"userinfo_endpoint": f"{provider.issuer}{endpoint}"}
    # A desk reads the metadata once.
    with desk_with(identified, provider.issuer) as app:
        browser = Browser(app)
        response = come_back(browser, provider)
        assert response.status_code == 403
        assert text in text_of(response)
        assert text == TOKEN or f"{provider.issuer}#ada" in text_of(response)
        assert browser.get("/").status_code == 303
        if provider.user_info:
            provider.user_info = {"sub": "ada", **INFO}
            assert come_back(browser, provider).location == "/"


def test_subject_signs_in_without_an_address(
    openid_desk: Flask, provider: Spoiled, own_acme: Deployment
) -> None:
    subject = f"{provider.issuer}#248289761001"
    identify(own_acme, "--subject", subject, name="Admin").done()
    provider.claims |= {"sub": "248289761001", "email": None}
    browser = Browser(openid_desk)
    assert come_back(browser, provider).location == "/"
    assert "Admin, admin" in text_of(browser.get("/"))
    # The subject of another issuer is somebody else.
    subject = "https://login.example.com#248289761002"
    identify(own_acme, "--subject", subject, name="Admin").done()
    provider.claims["sub"] = "248289761002"
    assert come_back(Browser(openid_desk), provider).status_code == 403


def test_callback_works_once_and_only_in_its_browser(openid_desk: Flask, provider: Spoiled) -> None:
    browser, other = Browser(openid_desk), Browser(openid_desk)
    query = parse_qs(urlsplit(begin(browser)).query)
    provider.nonce = query["nonce"][0]
    values = {"code": "any", "state": query["state"][0]}
    begin(other)
    path = "/sign-in/openid/callback"
    # Another browser with a sign-in of its own, one without, and the same one with another state.
    assert other.get(path, query_string=values).status_code == 403
    assert Browser(openid_desk).get(path, query_string=values).status_code == 403
    assert browser.get(path, query_string=values).location == "/"
    response = browser.get(path, query_string=values)
    assert response.status_code == 403
    assert "it was used" in text_of(response)


def test_tampered_callback_is_refused(openid_desk: Flask, provider: Spoiled) -> None:
    changes = [{"state": text} for text in ("tampered", "", "\u20ac")]
    for change in (*changes, {"iss": "https://login.example.com"}, {"error": "<b>denied</b>"}):
        browser = Browser(openid_desk)
        response = come_back(browser, provider, **change)
        assert response.status_code == 403
        assert "denied" not in text_of(response)
        assert browser.get("/").status_code == 303
    assert "/token" not in dict(provider.requests)


def test_unreachable_provider_is_named(
    own_acme: Deployment, capfd: pytest.CaptureFixture[str]
) -> None:
    with desk_with(own_acme, "http://127.0.0.1:9") as app:
        browser = Browser(app)
        response = browser.get("/sign-in/openid")
        assert response.status_code == 502
        assert "127.0.0.1:9 cannot be reached" in text_of(response)
        assert browser.get("/sign-in").status_code == 200
    log = capfd.readouterr().err
    assert "The OpenID Connect provider is unavailable." in log
    assert identity.CLIENT_SECRET not in log


def test_provider_that_names_another_issuer_or_went_away_is_not_used(
    openid_desk: Flask, provider: Spoiled
) -> None:
    provider.metadata["issuer"] = "https://login.example.com"
    assert Browser(openid_desk).get("/sign-in/openid").status_code == 502
    provider.metadata = {"token_endpoint": "http://127.0.0.1:9/token"}
    response = come_back(Browser(openid_desk), provider)
    assert (response.status_code, "cannot be reached" in text_of(response)) == (502, True)


def test_starting_is_bounded(openid_desk: Flask) -> None:
    browser = Browser(openid_desk)
    statuses = [browser.get("/sign-in/openid").status_code for _ in range(11)]
    assert statuses == [302] * 10 + [429]


def test_member_of_two_organizations_needs_a_link(
    openid_desk: Flask, provider: Spoiled, own_acme: Deployment
) -> None:
    own_acme.load([
        make.organization(OTHER, slug="other"),
        make.member(make.OWNER, "admin", organization_id=OTHER, displayName="Ada"),
    ])  # fmt: skip
    options = ("--organization", "other", "--by", "Ada", "--email", "ada@acme.example")
    own_acme.cli("members", "identify", "Ada", *options).done()
    response = come_back(Browser(openid_desk), provider)
    assert (response.status_code, "orgctx desk invite" in text_of(response)) == (403, True)
    own_acme.load([make.member(make.OWNER, "member", organization_id=OTHER)])
    assert come_back(Browser(openid_desk), provider).location == "/"


def test_identities_are_linked_once_and_audited(own_acme: Deployment) -> None:
    identify(own_acme, "--email", "Ada@Acme.example").done()
    (record,) = own_acme.cli("audit", "--organization", "acme", "--json", "--limit", "1").json()
    assert record["command"] == "members identify"
    assert record["after"] == {make.OWNER: {"email": "ada@acme.example"}}
    for name in ("Owner", "Admin"):
        result = identify(own_acme, "--email", "ada@acme.example", name=name)
        assert "is linked to Owner already" in result.stderr
    rows = own_acme.cli("members", "identities", "--organization", "acme", "--json").json()
    assert [(row["id"], row["kind"], row["value"]) for row in rows] == [
        (make.OWNER, "email", "ada@acme.example")
    ]
    identify(own_acme, "--email", "ada@acme.example", "--remove").done()
    assert "is not linked" in identify(own_acme, "--email", "ada@acme.example", "--remove").stderr
    assert own_acme.cli("members", "identities", "--organization", "acme", "--json").json() == []
    audit = own_acme.cli("audit", "--organization", "acme", "--limit", "1").stdout
    assert "email: ada@acme.example → none" in audit


def test_invalid_identity_is_explained(acme: Deployment) -> None:
    for options, message in (
        (("--email", "ada"), "Invalid e-mail address"),
        (("--email", "\u00e4da@acme.example"), "Use ASCII, or pass --subject"),
        (("--subject", "https://login.example.com"), "Invalid subject"),
        (("--subject", "login#1"), "Invalid subject"),
        ((), "Pass either --email or --subject"),
        (("--email", "a@b.example", "--subject", "https://x.example#1"), "Pass either"),
    ):
        assert message in identify(acme, *options).stderr
    # Otherwise an admin would become an owner with an address of their own.
    result = identify(acme, "--email", "eve@acme.example", by="Admin")
    assert "Only an owner may identify an owner." in result.stderr
    result = identify(acme, "--email", "eve@acme.example", name="Member")
    assert "Only owners and admins sign in" in result.stderr


def test_identities_go_with_member_and_organization(own_acme: Deployment) -> None:
    """That of a removed member is free."""
    count = "SELECT count(*) FROM member_identities"
    identify(own_acme, "--email", "o@acme.example", name="Admin")
    own_acme.load([make.member(make.ADMIN, "removed")])
    identify(own_acme, "--email", "o@acme.example").done()
    own_acme.load([make.member(make.ADMIN, "admin", displayName="Admin")])
    identify(own_acme, "--email", "a@acme.example", name="Admin").done()
    assert own_acme.execute(count) == [(2,)]
    own_acme.load([make.delete("member", make.ADMIN)])
    assert own_acme.execute(count) == [(1,)]
    own_acme.load([make.delete("organization", make.ACME)])
    assert own_acme.execute(count) == [(0,)]
