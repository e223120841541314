"""The files of the page need no key, contain no data, and their policy confines scripts."""

import gzip
import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from orgctx.clients import CLIENTS
from orgctx.config.settings import Config
from orgctx.page.files import CONTENT_TYPES, INDEX
from orgctx.page.routes import POLICY
from tests.support import crawl
from tests.support import factories as make
from tests.support.deployment import Deployment

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "orgctx/page"
STATIC = PAGE / "static"
VENDOR = STATIC / "vendor"
MANIFEST = json.loads((VENDOR / "manifest.json").read_text("utf-8"))
BUNDLE = json.loads((PAGE / "bundle/manifest.json").read_text("utf-8"))
SUFFIXES = (".js", ".mjs", ".css", ".svg", ".html")
BUILD = ("deploy/page/build.js", "deploy/page/package-lock.json")
IMMUTABLE = "public, max-age=31536000, immutable"

own_files = [path for path in STATIC.rglob("*") if path.is_file() and VENDOR not in path.parents]


@pytest.fixture(scope="module")
def browser(module_deployment: Deployment) -> Iterator[FlaskClient]:
    """One that sends no key."""
    with module_deployment.app() as app:
        yield app.test_client()


@pytest.fixture(scope="module")
def names(browser: FlaskClient) -> list[str]:
    """What the document loads, below /page/."""
    return re.findall(r'(?:href|src)="page/([^"]+)"', browser.get("/").text)


@pytest.mark.parametrize("name", sorted({*BUNDLE["files"]} - {INDEX}))
def test_file_is_served(browser: FlaskClient, name: str) -> None:
    """[10.1] [10.3]"""
    response = browser.get(f"/page/{name}")
    assert response.status_code == 200
    assert response.data == (PAGE / BUNDLE["files"][name]).read_bytes()
    assert response.headers["Content-Type"] == CONTENT_TYPES[name.rpartition(".")[2]]
    assert response.headers["Cache-Control"] == IMMUTABLE
    assert response.headers["Content-Security-Policy"] == POLICY
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert "RateLimit-Remaining" in response.headers


def test_document_and_its_files_are_revalidated(browser: FlaskClient, names: list[str]) -> None:
    """[10.1] [10.3]"""
    assert browser.get("/").headers["Cache-Control"] == "public, no-cache"
    assert browser.head("/").status_code == 200
    for path in ("/", f"/page/{names[0]}"):
        etag = browser.get(path).headers["ETag"]
        again = browser.get(path, headers={"If-None-Match": etag})
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == etag


def test_bundle_is_of_these_sources() -> None:
    """`make test-system` builds the bundle again and compares it; this needs no npm."""
    sources = [path for path in STATIC.rglob("*") if path.suffix in SUFFIXES]
    names = sorted([*(str(path.relative_to(ROOT)) for path in sources), *BUILD])
    lines = (f"{sha256((ROOT / name).read_bytes()).hexdigest()}  {name}\n" for name in names)
    digest = sha256("".join(lines).encode()).hexdigest()
    assert digest == BUNDLE["sources"], "the page has changed: run `make page`"


def test_bundle_holds_only_listed_files() -> None:
    listed = {path for path in BUNDLE["files"].values() if path.startswith("bundle/")}
    assert {f"bundle/{path.name}" for path in (PAGE / "bundle").iterdir()} == {
        *listed, "bundle/manifest.json",
    }, "run `make page`"  # fmt: skip


def test_policy_allows_only_the_service(browser: FlaskClient) -> None:
    sources = {word for part in POLICY.split("; ") for word in part.split()[1:]}
    assert sources == {"'self'", "'none'"}
    for path in ("/api/v1/openapi.json", "/healthz", "/nothing"):
        policy = browser.get(path).headers.getlist("Content-Security-Policy")
        assert policy == ["default-src 'none'; frame-ancestors 'none'"]


def test_public_documents_are_gzipped_on_request(browser: FlaskClient, names: list[str]) -> None:
    """[4.14.1, 10.3]"""
    for path in (f"/page/{names[0]}", "/api/v1/openapi.json"):
        plain = browser.get(path)
        packed = browser.get(path, headers={"Accept-Encoding": "gzip, br"})
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.data) == plain.data
        assert len(packed.data) < len(plain.data)
        assert packed.headers["ETag"] != plain.headers["ETag"]
        assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    "name", ["nothing.js", "../routes.py", "..%2froutes.py", "%2e%2e/files.py", "vendor", "", "a\0"]
)
def test_other_paths_are_404(browser: FlaskClient, name: str) -> None:
    response = browser.get(f"/page/{name}")
    assert response.status_code == 404
    assert response.get_json()["error"]["code"] == "not_found"


def test_page_ignores_parameters(browser: FlaskClient, names: list[str]) -> None:
    """[10.2] Chat programs append some to links. The API rejects unknown ones."""
    for path in ("/", f"/page/{names[0]}"):
        response = browser.get(f"{path}?fbclid=x&utm_source=%FF&a=1&a=2")
        assert response.status_code == 200
        assert response.data == browser.get(path).data
    assert browser.get("/api/v1/openapi.json?fbclid=x").status_code == 400


def test_page_rejects_bodies_and_methods(browser: FlaskClient) -> None:
    assert browser.get("/", data=b"x").status_code == 413
    assert browser.post("/").status_code == 405


def test_page_has_a_limit_of_its_own_by_address(deployment: Deployment) -> None:
    """[4.14.1] [10.1]"""
    with deployment.client(limit_ip=1, limit_page=2) as client:
        paths = ("/", "/page/service.json", "/", "/api/v1/openapi.json", "/api/v1/openapi.json")
        responses = [client.get(path) for path in paths]
    assert [response.status_code for response in responses] == [200, 200, 429, 200, 429]
    assert "exceeded for this page" in responses[2].json["error"]["message"]
    assert 0 < int(responses[2].headers["Retry-After"]) <= 60


def test_nine_loads_a_minute_take_nothing_from_keys(own_acme: Deployment) -> None:
    """The limit of the page is the default one, and the browser caches nothing."""
    key = own_acme.issue_key(make.ACME, make.OWNER)
    with own_acme.client(limit_page=Config.limit_page, limit_ip=1) as client:
        loads = 9 * ["/", *(f"/page/{name}" for name in BUNDLE["files"])]
        assert {client.get(path).status_code for path in loads} == {200}
        assert crawl.rest(client, key, "/api/v1/sources").status_code == 200


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


@pytest.mark.parametrize(
    "path", [path for path in own_files if path.suffix == ".js"], ids=lambda p: p.name
)
def test_scripts_never_parse_html(path: Path) -> None:
    """Text reaches the page as text; the one sanitiser is in markdown.js."""
    risky = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function"
    stored = r"localStorage|sessionStorage|indexedDB|document\.cookie"
    assert not re.search(f"{risky}|{stored}", path.read_text("utf-8"))
