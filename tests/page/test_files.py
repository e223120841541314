"""The files of the page need no key, contain no data, and their policy confines scripts."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from orgctx.clients import CLIENTS
from orgctx.config.settings import Config, ConfigError
from orgctx.page.files import CONTENT_TYPES
from orgctx.page.routes import POLICY
from tests.support.deployment import Deployment

STATIC = Path(__file__).parents[2] / "orgctx/page/static"
VENDOR = STATIC / "vendor"
MANIFEST = json.loads((VENDOR / "manifest.json").read_text("utf-8"))
VIEWER = "swagger-ui"
MOST_BYTES = 300_000

files = sorted(path for path in STATIC.rglob("*") if path.is_file())
own_files = [path for path in files if VENDOR not in path.parents]
each = pytest.mark.parametrize("path", files, ids=lambda path: str(path.relative_to(STATIC)))


@pytest.fixture(scope="module")
def browser(module_deployment: Deployment) -> Iterator[FlaskClient]:
    """One that sends no key."""
    with module_deployment.app() as app:
        yield app.test_client()


@each
def test_file_is_served(browser: FlaskClient, path: Path) -> None:
    response = browser.get(f"/page/{path.relative_to(STATIC)}")
    assert response.status_code == 200
    assert response.data == path.read_bytes()
    assert response.headers["Content-Type"] == CONTENT_TYPES[path.suffix[1:]]
    assert response.headers["Content-Security-Policy"] == POLICY
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert "RateLimit-Remaining" in response.headers


def test_root_is_index(browser: FlaskClient) -> None:
    assert browser.get("/").data == (STATIC / "index.html").read_bytes()
    assert browser.head("/").status_code == 200


def test_policy_allows_only_the_service(browser: FlaskClient) -> None:
    sources = {word for part in POLICY.split("; ") for word in part.split()[1:]}
    assert sources == {"'self'", "'none'"}
    for path in ("/api/v1/openapi.json", "/healthz", "/nothing"):
        policy = browser.get(path).headers.getlist("Content-Security-Policy")
        assert policy == ["default-src 'none'; frame-ancestors 'none'"]


def test_unchanged_file_is_304(browser: FlaskClient) -> None:
    etag = browser.get("/page/app.js").headers["ETag"]
    again = browser.get("/page/app.js", headers={"If-None-Match": etag})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == etag


def test_files_are_gzipped_on_request(browser: FlaskClient) -> None:
    plain = browser.get("/page/style.css")
    packed = browser.get("/page/style.css", headers={"Accept-Encoding": "gzip, br"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert packed.headers["ETag"] != plain.headers["ETag"]
    assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    "name", ["nothing.js", "../routes.py", "..%2froutes.py", "%2e%2e/files.py", "vendor", "", "a\0"]
)
def test_other_paths_are_404(browser: FlaskClient, name: str) -> None:
    response = browser.get(f"/page/{name}")
    assert response.status_code == 404
    assert response.get_json()["error"]["code"] == "not_found"


def test_page_rejects_parameters_bodies_and_methods(browser: FlaskClient) -> None:
    assert browser.get("/?key=1").status_code == 400
    assert browser.get("/", data=b"x").status_code == 413
    assert browser.post("/").status_code == 405


def test_page_is_limited_by_address(deployment: Deployment) -> None:
    with deployment.app(limit_ip=2) as limited:
        client = limited.test_client()
        statuses = [client.get(path).status_code for path in ("/", "/page/app.js", "/")]
    assert statuses == [200, 200, 429]


CONTACT = "mailto:security@example.com, https://example.com/report"
UNTIL = "2027-06-30T00:00:00Z"


def test_security_txt_shows_the_contact_without_a_key(deployment: Deployment) -> None:
    settings = {"security_contact": CONTACT, "security_expires_at": UNTIL, "limit_ip": 2}
    with deployment.app(base_url="https://orgctx.example", **settings) as app:
        client = app.test_client()
        responses = [client.get("/.well-known/security.txt") for _ in range(3)]
        assert client.get("/.well-known/oauth-protected-resource").status_code == 404
    assert [response.status_code for response in responses] == [200, 200, 429]
    assert responses[0].headers["Content-Type"] == "text/plain; charset=utf-8"
    assert responses[0].text == (
        "Contact: mailto:security@example.com\n"
        "Contact: https://example.com/report\n"
        f"Expires: {UNTIL}\n"
        "Canonical: https://orgctx.example/.well-known/security.txt\n"
    )


def test_security_txt_is_404_without_a_contact(browser: FlaskClient) -> None:
    response = browser.get("/.well-known/security.txt")
    assert response.status_code == 404
    assert "no security contact" in response.get_json()["error"]["message"]


@pytest.mark.parametrize(
    ("contact", "expires_at", "error"),
    [
        ("security@example.com", UNTIL, "must be a URL such as mailto:"),
        ("mailto:a@example.com\nExpires: never", UNTIL, "must be a URL such as mailto:"),
        ("mailto:a@example.com", "tomorrow", "must be a date-time such as"),
        ("mailto:a@example.com", "", "needs ORGCTX_SECURITY_EXPIRES_AT"),
    ],
)
def test_security_settings_are_checked(
    monkeypatch: pytest.MonkeyPatch, contact: str, expires_at: str, error: str
) -> None:
    monkeypatch.setenv("ORGCTX_DATABASE_URL", "postgresql:///orgctx")
    monkeypatch.setenv("ORGCTX_REDIS_URL", "redis://127.0.0.1")
    monkeypatch.setenv("ORGCTX_SECURITY_CONTACT", contact)
    monkeypatch.setenv("ORGCTX_SECURITY_EXPIRES_AT", expires_at)
    with pytest.raises(ConfigError, match=error):
        Config.from_environment()


def test_service_json_equals_the_command(app: Flask, deployment: Deployment) -> None:
    described = app.test_client().get("/page/service.json").get_json()
    assert {client["name"] for client in described["clients"]} == set(CLIENTS)
    for client in described["clients"]:
        url = ("--base-url", described["baseUrl"])
        printed = deployment.cli("connect", client["name"], *url, "--json").json()
        assert printed["configuration"] == client["configuration"]
        assert printed["place"] == client["place"]


def test_page_is_small() -> None:
    sent = [path for path in files if path.suffix != ".txt" and path.name != "manifest.json"]
    assert sum(path.stat().st_size for path in sent if VIEWER not in path.name) < MOST_BYTES


def test_vendored_files_match_the_manifest() -> None:
    listed = {
        file["to"]: file["sha256"] for package in MANIFEST["packages"] for file in package["files"]
    }
    digests = {path.name: sha256(path.read_bytes()).hexdigest() for path in VENDOR.iterdir()}
    del digests["manifest.json"]
    assert digests == listed


def test_vendored_packages_have_licenses() -> None:
    for package in MANIFEST["packages"]:
        assert package["license"]
        assert re.fullmatch(r"\d+\.\d+\.\d+", package["version"])
        assert any("LICENSE" in file["to"] for file in package["files"]), package["name"]


@pytest.mark.parametrize("path", own_files, ids=lambda path: path.name)
def test_files_name_no_other_host(path: Path) -> None:
    hosts = set(re.findall(r"https?://([\w.-]+)", path.read_text("utf-8")))
    assert hosts <= {"www.w3.org"}


def test_index_has_no_inline_code() -> None:
    class Parser(HTMLParser):
        inside = ""

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            self.inside = tag
            assert tag != "style"
            assert not [name for name, _ in attrs if name == "style" or name.startswith("on")]

        def handle_data(self, data: str) -> None:
            assert self.inside != "script" or not data.strip()

    Parser().feed((STATIC / "index.html").read_text("utf-8"))


@pytest.mark.parametrize(
    "path", [path for path in own_files if path.suffix == ".js"], ids=lambda p: p.name
)
def test_scripts_never_parse_html(path: Path) -> None:
    """Text reaches the page as text; the one sanitiser is in markdown.js."""
    risky = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function"
    stored = r"localStorage|sessionStorage|indexedDB|document\.cookie"
    assert not re.search(f"{risky}|{stored}", path.read_text("utf-8"))
