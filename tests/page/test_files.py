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


def test_service_json_equals_the_command(app: Flask, deployment: Deployment) -> None:
    unknown = app.test_client().get("/page/service.json").get_json()
    assert unknown["baseUrl"] == ""
    with deployment.app(base_url="http://127.0.0.1:8311") as configured:
        known = configured.test_client().get("/page/service.json").get_json()
    for described, url in ((unknown, unknown["exampleUrl"]), (known, known["baseUrl"])):
        assert {client["name"] for client in described["clients"]} == set(CLIENTS)
        for client in described["clients"]:
            options = ("--base-url", url, "--json")
            printed = deployment.cli("connect", client["name"], *options).json()
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
