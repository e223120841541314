"""The view of keys: issue, see, change, rotate and revoke, and where a secret may be."""

import os
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from redis import Redis
from werkzeug.test import TestResponse

from orgctx.key_format import KEY_PATTERN
from tests.desk.conftest import Browser, SignIn, desk_of, signed_in
from tests.support import crawl
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.written import written

Status = Callable[[str], int]

RIGHTS: dict[str, Any] = {
    "name": "laptop", "access": "both", "scopes": ["context:read", "knowledge:read"],
    "limit": "all", "days": "30",
}  # fmt: skip
TABLES = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"


@pytest.fixture
def sign_in(module_desk: Flask) -> SignIn:
    return partial(signed_in, module_desk)


@pytest.fixture(scope="module")
def status_with(acme: Deployment) -> Iterator[Callable[[str], int]]:
    """What the service answers to a secret."""
    with acme.app() as app:

        def status(secret: str) -> int:
            return crawl.rest(app.test_client(), secret, "/api/v1/context").status_code

        yield status


def secret_of(response: TestResponse) -> str:
    """The only secret in a page."""
    (secret,) = KEY_PATTERN.findall(response.text)
    written.issue(secret)
    return str(secret)


def issue(browser: Browser, **rights: Any) -> tuple[str, str]:
    """Issue a key with the form. Returns its address and its secret."""
    response = browser.decide("/keys/issue", **RIGHTS | rights)
    assert response.status_code == 200, response.text
    found = re.search(r'href="(/keys/[0-9a-f-]{36})"', response.text)
    assert found
    return found[1], secret_of(response)


def row_of(deployment: Deployment, address: str) -> dict[str, Any]:
    """The key as `keys list` prints it."""
    rows = deployment.cli("keys", "list", "--organization", "acme", "--json").json()
    row: dict[str, Any] = next(row for row in rows if address.endswith(row["id"]))
    return row


def test_issue_shows_the_secret_and_the_configuration_of_the_client(
    sign_in: SignIn, acme: Deployment, status_with: Status
) -> None:
    browser = sign_in()
    explained = r'<code>knowledge:read</code> <span class="quiet">[^<]*documents: \d'
    assert re.search(explained, browser.text("/keys/issue"))
    response = browser.decide("/keys/issue", **RIGHTS)
    assert response.headers["Cache-Control"] == "no-store"
    secret = secret_of(response)
    assert "Save as .mcp.json in the project" in response.text
    assert "&#34;mcpServers&#34;" in response.text
    assert status_with(secret) == 200
    rows = acme.cli("keys", "list", "--organization", "acme", "--json").json()
    (row,) = [row for row in rows if row["hint"] == secret[:9]]
    assert (row["name"], row["access"], row["sources"]) == ("laptop", "both", None)
    assert row["scopes"] == ["context:read", "knowledge:read"]
    assert row["lastUsedAt"]
    audit = acme.cli("audit", "--organization", "acme", "--json").json()
    record = next(each for each in audit if row["id"] in each["after"])
    assert (record["command"], record["authentication"]) == ("keys issue", "link")


def test_reload_issues_no_second_key(sign_in: SignIn, acme: Deployment) -> None:
    browser = sign_in()
    browser.get("/keys/issue")
    once = browser.fields["once"]
    first = browser.post("/keys/issue", **RIGHTS, once=once)
    (count,) = acme.execute("SELECT count(*) FROM api_keys")
    second = browser.post("/keys/issue", **RIGHTS, once=once)
    assert (first.status_code, second.status_code) == (200, 409)
    secret_of(first)
    assert not KEY_PATTERN.search(second.text)
    assert "This request issued a key already" in second.text
    assert acme.execute("SELECT count(*) FROM api_keys") == [count]
    # The form does not choose the id of the key.
    assert acme.execute("SELECT FROM api_keys WHERE id = %s", [once]) == []


def test_secret_is_in_one_answer_and_nowhere_else(
    sign_in: SignIn, acme: Deployment, capfd: pytest.CaptureFixture[str]
) -> None:
    """[5.5]"""
    browser = sign_in()
    address, secret = issue(browser, name="once")
    pages = [browser.get(path) for path in (address, f"{address}/change", "/keys", "/keys/issue")]
    rotated = browser.decide(address, f"{address}/rotate", old_seconds="0", days="0")
    secrets = [secret[5:], secret_of(rotated)[5:]]
    with acme.client(secret_of(rotated)) as client:
        assert client.get("/api/v1/sources").status_code == 200
    logged = "".join(capfd.readouterr())
    assert "/keys/issue" in logged
    stored = [
        str(row)
        for (table,) in acme.execute(TABLES)
        for row in acme.execute(f"SELECT to_jsonb(t)::text FROM {table} AS t")
    ]
    with Redis.from_url(acme.redis_url) as redis:
        stored += [repr((name, redis.dump(name))) for name in redis.scan_iter("*")]
    texts = [
        *stored,
        logged,
        *(page.text + str(page.headers) for page in pages),
        browser.get("/keys").text,
    ]
    assert any("orgctx:used" in text for text in texts)
    assert not any(part in text for part in secrets for text in texts)


def test_limited_key_reads_only_its_sources(sign_in: SignIn, acme: Deployment) -> None:
    browser = sign_in()
    address, _ = issue(browser, limit="chosen", source_ids=["docs:handbook"])
    assert row_of(acme, address)["sources"] == ["docs:handbook"]
    page = browser.get(address).text
    assert "only <bdi>docs:handbook</bdi>" in page
    assert "Acme docs" in page
    assert "Acme notes" not in page
    changed = RIGHTS | {"name": "server", "access": "api", "limit": "all"}
    for scopes, status in (([], 400), (["context:read"], 303)):
        fields = changed | {"scopes": scopes}
        response = browser.decide(f"{address}/change", f"{address}/change", **fields)
        assert response.status_code == status
    row = row_of(acme, address)
    assert [row[name] for name in ("name", "access", "scopes", "sources")] == [
        "server", "api", ["context:read"], None,
    ]  # fmt: skip
    # The page says what does not fit.
    rights = {"scopes": ["context:read", "token:read"], "source_ids": ["docs:handbook"]}
    page = browser.text(issue(browser, limit="chosen", **rights)[0])
    assert "does not read <bdi>docs:handbook</bdi> yet: the key lacks knowledge:read." in page


def test_list_shows_states_and_usage_by_pages(
    sign_in: SignIn, status_with: Status, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = sign_in()
    address, secret = issue(browser, name="busy")
    status_with(secret)
    old, _ = issue(browser, name="old")
    assert browser.decide(old, f"{old}/revoke").status_code == 303
    assert "Revoke this key" not in browser.get(old).text
    listed = browser.get("/keys?state=active").text
    assert "busy" in listed
    assert old not in listed
    cells = re.sub(r"\s+", " ", listed.partition(f'href="{address}"')[2].partition("</tr>")[0])
    assert 'Requests in 30 days">1</td>' in cells
    assert "It made 1 request in 30 days." in browser.text(address)
    assert old in browser.get("/keys?state=revoked").text
    monkeypatch.setattr("orgctx.desk.keys.pages.PAGE_SIZE", 1)
    first, second = browser.get("/keys").text, browser.get("/keys?page=2").text
    assert (old in first, address in first) == (True, False)
    assert (old in second, address in second) == (False, True)
    assert "No key on this page." in browser.get("/keys?page=9999").text
    assert "state=revoked" in browser.text("/keys?state=revoked&page=2")


def test_reads_of_a_key_and_of_a_source_are_shown(acme: Deployment, tmp_path: Path) -> None:
    record = tmp_path / "reads.jsonl"
    secret, other = (acme.issue_key("acme", make.OWNER) for _ in range(2))
    id_ = acme.cli("keys", "list", "--organization", "acme", "--json").json()[0]["id"]
    with acme.app(audit_reads=str(record)) as app:
        for key in (secret, other):
            path = f"/api/v1/knowledge/{make.knowledge_id(1)}"
            assert crawl.rest(app.test_client(), key, path).status_code == 200
    foreign = record.read_text().replace(make.ACME, make.uuid("foreign"))
    record.write_text(f"{record.read_text()}{foreign}no JSON {make.ACME}\n")
    # Each pod writes a file.
    (tmp_path / "pods").mkdir()
    for number, line in enumerate(record.read_text().splitlines()):
        (tmp_path / f"pods/{number}.jsonl").write_text(f"{line}\n")
    os.mkfifo(tmp_path / "pipe")
    for setting, shown, count in (
        (str(record), "Document 1", 2),
        (str(tmp_path / "pods"), "Document 1", 2),
        (str(tmp_path / "pipe"), "cannot read the record", 0),
        (str(tmp_path / "no-volume/reads.jsonl"), "cannot read the record", 0),
        (str(tmp_path / "not-yet"), "No read is recorded", 0),
        ("", "record of reads is off", 0),
    ):
        with desk_of(acme, audit_reads=setting) as app:
            browser = signed_in(app)
            source = browser.text("/source?id=docs:handbook").partition("Who read it last")[2]
            key_page = browser.text(f"/keys/{id_}").partition("What it read last")[2]
        for text in (source, key_page):
            assert shown in text
        assert source.count("<code>read_knowledge</code>") == count
        assert key_page.count("<code>read_knowledge</code>") == count // 2


def test_rotate_lets_the_old_key_live_on(
    sign_in: SignIn, acme: Deployment, status_with: Status
) -> None:
    browser = sign_in()
    address, old = issue(browser, name="rotated one", days="7")
    fields = {"old_seconds": "3600", "days": "90"}
    assert browser.post(f"{address}/rotate", **fields).status_code == 409
    response = browser.decide(address, f"{address}/rotate", **fields)
    assert response.headers["Cache-Control"] == "no-store"
    new = secret_of(response)
    assert [status_with(secret) for secret in (old, new)] == [200, 200]
    assert row_of(acme, address)["name"] == "rotated one (rotated)"
    assert "Another key has replaced it already." in browser.text(address)
    (newer,) = re.findall(r'href="(/keys/[^"?]+)">.*rotated one</bdi>', browser.text("/keys"))
    assert f'This leaves <a href="{address}">' in browser.text(newer)
    assert browser.decide(address, f"{address}/rotate", **fields).status_code == 409
    for wrong in ({"old_seconds": "5"}, {"days": "０"}):
        response = browser.decide(address, f"{address}/rotate", **fields | wrong)
        assert response.status_code == 400
