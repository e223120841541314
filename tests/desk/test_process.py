"""`orgctx desk` as a process: its settings, its metrics, and slow clients."""

import socket
from dataclasses import replace
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from orgctx.config.settings import Config, ConfigError
from orgctx.desk.app import create_desk
from orgctx.desk.settings import check
from tests.desk import running
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
    error = acme.cli("desk", **settings).failed()
    assert message in error
    assert not [word for word in ("Traceback", "hush") if word in error]


def test_desk_url_is_an_origin(acme: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    for url, origin in (
        ("http://localhost:8010/", "http://localhost:8010"),
        ("http://[::1]:8010", "http://[::1]:8010"),
        ("https://Desk.Example.com:443", "https://desk.example.com"),
    ):
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
    assert "pip install 'orgctx[oidc]'" in acme.cli("desk", **OIDC).failed()


@pytest.mark.thorough
@pytest.mark.parametrize("request_", running.SLOW_REQUESTS)
def test_slow_clients_keep_nobody_waiting(
    url: str, request_: tuple[str, str, list[str], bytes]
) -> None:
    with running.slow_clients(url, request_):
        assert status(running.connect(url, "GET", "/sign-in", [])) == b"200"


@pytest.mark.thorough
def test_form_that_never_ends_is_rejected(url: str) -> None:
    lines = ["Content-Type: application/x-www-form-urlencoded", "Content-Length: 1000"]
    assert status(running.connect(url, "POST", "/sign-in", lines, b"secret=")) == b"408"


def status(connection: socket.socket) -> bytes:
    """Read the status of the response."""
    with connection, connection.makefile("rb") as file:
        return file.readline().split()[1]
