"""`orgctx desk` as a process, and signing in to it with Chromium."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, Page

from orgctx.config.settings import Config, ConfigError
from orgctx.desk.app import create_desk
from orgctx.desk.sessions import COOKIE
from orgctx.desk.settings import check
from tests.desk import identity, running
from tests.desk.conftest import link_of
from tests.support.deployment import Deployment
from tests.support.processes import free_port

OIDC = {
    "ORGCTX_DESK_OIDC_ISSUER": "https://login.example.com",
    "ORGCTX_DESK_OIDC_CLIENT_ID": "desk",
    "ORGCTX_DESK_OIDC_CLIENT_SECRET": "hush",
}
NO_LOGIN = "ORGCTX_DESK_DATABASE_URL: is not set; set it to the URL of a login for the desk"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"ORGCTX_DESK_URL": "http://desk.example.com"}, "ORGCTX_DESK_URL: must start with http"),
        ({"ORGCTX_DESK_URL": "https://desk.example.com"}, NO_LOGIN),
        ({"ORGCTX_DESK_BIND": "127.0.0.1:8010,[2001:db8::1]:8010"}, NO_LOGIN),
        ({"ORGCTX_DESK_BIND": "fd://3", "ORGCTX_DESK_DATABASE_URL": ""}, NO_LOGIN),
        ({"ORGCTX_DESK_URL": "https://desk.example.com/desk"}, "must be an origin"),
        ({"ORGCTX_DESK_URL": "https://ada@desk.example.com"}, "must be an origin"),
        (OIDC | {"ORGCTX_DESK_OIDC_CLIENT_SECRET": ""}, "set all three or none"),
        (OIDC | {"ORGCTX_DESK_OIDC_ISSUER": "http://login.example.com"}, "must start with https:/"),
        (OIDC | {"ORGCTX_DESK_OIDC_ISSUER": "https://login.example.com?x=1"}, "must be an issuer"),
        (OIDC | {"ORGCTX_DESK_OIDC_ISSUER": "login.example.com"}, "must be a URL"),
    ],
)
def test_desk_refuses_unusable_settings(
    acme: Deployment, settings: dict[str, str], message: str
) -> None:
    result = acme.cli("desk", **settings)
    assert result.exit_code == 1
    assert message in result.stderr
    assert not [word for word in ("Traceback", "hush") if word in result.stderr]


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("http://localhost:8010/", "http://localhost:8010"),
        ("http://[::1]:8010", "http://[::1]:8010"),
        ("https://Desk.Example.com:443", "https://desk.example.com"),
    ],
)
def test_desk_url_is_an_origin(
    acme: Deployment, monkeypatch: pytest.MonkeyPatch, url: str, origin: str
) -> None:
    for name, value in (acme.program_environment | {"ORGCTX_DESK_URL": url}).items():
        monkeypatch.setenv(name, value)
    assert Config.from_environment().desk_url == origin


def test_only_a_trial_on_loopback_uses_the_admin_login(acme: Deployment) -> None:
    for bind in ("", "127.0.0.1:8010", "[::1]:8010", "unix:/run/desk.sock"):
        check(replace(acme.config, desk_bind=bind))
    beyond = replace(acme.config, desk_url="https://desk.example.com")
    with pytest.raises(ConfigError, match="orgctx migrate"):
        create_desk(beyond)
    check(replace(beyond, desk_database_url=acme.admin_url))


@pytest.mark.thorough
def test_metrics_count_requests_of_views(acme: Deployment) -> None:
    address = f"127.0.0.1:{free_port()}"
    with running.desk(acme, ORGCTX_DESK_METRICS_BIND=address) as (origin, _):
        request = Request(f"{origin}/sign-in", b"secret=x", {"Origin": origin})
        with pytest.raises(HTTPError, match="403"):
            urlopen(request)
        with pytest.raises(HTTPError, match="404"):
            urlopen(f"{origin}/metrics")
        with urlopen(f"http://{address}/metrics") as response:
            text = response.read().decode()
    view = 'interface="desk",operation="sign_in.sign_in"'
    assert f'orgctx_requests_total{{{view},status="403"}} 1.0' in text
    assert f"orgctx_request_seconds_count{{{view}}} 1.0" in text


def test_desk_names_a_missing_library(acme: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("orgctx.desk.settings.find_spec", lambda _: None)
    result = acme.cli("desk", **OIDC)
    assert (result.exit_code, "pip install 'orgctx[oidc]'" in result.stderr) == (1, True)


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context()
    page = context.new_page()
    page.set_default_timeout(15_000)
    yield page
    context.close()


def cookies(page: Page) -> dict[str, Any]:
    return {cookie["name"]: cookie for cookie in page.context.cookies()}  # type: ignore[typeddict-item]


@pytest.mark.system
def test_link_signs_in_with_chromium(own_acme: Deployment, page: Page) -> None:
    """Loopback without TLS is enough for the `__Host-` cookie, and forms send the origin."""
    with running.desk(own_acme) as (origin, log):
        secret = link_of(own_acme, ORGCTX_DESK_URL=origin)
        page.goto(f"{origin}/sign-in#{secret}")
        page.get_by_role("heading", name="Sign in to Acme").wait_for()
        assert page.url == f"{origin}/sign-in"
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_selector("text=Owner, owner")
        cookie = cookies(page)[COOKIE]
        assert (cookie["httpOnly"], cookie["secure"], cookie["sameSite"]) == (True, True, "Lax")
        assert page.evaluate("document.cookie") == ""
        page.goto(f"{origin}/members")
        page.wait_for_selector("h1:has-text('Members')")
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_selector("h1:has-text('Sign in')")
        assert COOKIE not in cookies(page)
        page.go_back()
        page.reload()
        page.wait_for_selector("h1:has-text('Sign in')")
        # The other name of loopback.
        page.goto(origin.replace("localhost", "127.0.0.1"))
        page.get_by_role("link", name=origin).click()
        page.wait_for_selector("h1:has-text('Sign in')")
        assert secret not in log.read_text()
        assert cookie["value"] not in log.read_text()


@pytest.mark.system
def test_provider_signs_in_with_chromium(own_acme: Deployment, page: Page) -> None:
    """The provider is another site, so the browser sends it and its way back a lax cookie."""
    who = ("--organization", "acme", "--by", "Owner", "--email", "ada@acme.example")
    assert own_acme.cli("members", "identify", "Owner", *who).exit_code == 0
    redirect_port = free_port()
    origin = f"http://localhost:{redirect_port}"
    with identity.real(f"{origin}/sign-in/openid/callback") as issuer:
        settings = {
            "ORGCTX_DESK_URL": origin,
            "ORGCTX_DESK_OIDC_ISSUER": issuer,
            "ORGCTX_DESK_OIDC_CLIENT_ID": identity.CLIENT_ID,
            "ORGCTX_DESK_OIDC_CLIENT_SECRET": identity.CLIENT_SECRET,
            "ORGCTX_LOG_LEVEL": "DEBUG",
        }
        with running.desk(own_acme, port=redirect_port, **settings) as (_, log):
            page.goto(f"{origin}/sign-in")
            page.get_by_role("link", name="Sign in with 127.0.0.1").click()
            page.fill("input[name=login]", "ada")
            page.fill("input[name=password]", "any")
            page.get_by_role("button", name="Sign-in").click()
            page.get_by_role("button", name="Continue").click()
            page.wait_for_selector("text=Owner, owner")
            assert page.url == f"{origin}/"
            text = log.read_text()
            assert identity.CLIENT_SECRET not in text
            assert "code=" not in text
            assert cookies(page)[COOKIE]["value"] not in text
