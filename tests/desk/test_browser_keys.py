"""The view Keys in a browser: accessible, on a phone, with the keyboard, without scripts."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from playwright.sync_api import Browser, Page, expect
from redis import Redis

from orgctx.embedded import Servers
from orgctx.key_format import KEY_PATTERN
from orgctx.stores.quota import today, usage_name
from tests.desk.served import check, check_pages, signed_in
from tests.page.test_views import DRESSES
from tests.support import factories as make
from tests.support.deployment import Deployment, copied
from tests.support.written import written

pytestmark = pytest.mark.system

PAGES = {
    "list": "/keys",
    "nothing": "/keys?state=expired",
    "issue": "/keys/issue",
    "key": "/keys/{id}?decided=0",
    "limited": "/keys/{limited}",
    "change": "/keys/{limited}/change",
    "revoked": "/keys/{revoked}",
    "unknown": "/keys/00000000-0000-4000-8000-000000000000",
}
WHO = ("--organization", "acme", "--by", make.OWNER)


@pytest.fixture(scope="module")
def acme(servers: Servers, acme_template: str) -> Iterator[Deployment]:
    """Acme with hostile and long labels."""
    with copied(servers, acme_template) as deployment:
        deployment.load(
            [
                make.organization(),
                make.source("docs", "docs:long", label="A" * 200),
                make.source("docs", "docs:hidden", label="نشرة \u202eevil <b>x</b>"),
                *(make.source("docs", f"docs:{n}", label=f"Folder {n}") for n in range(30)),
            ]
        )
        yield deployment


@pytest.fixture(scope="module")
def ids(acme: Deployment) -> dict[str, str]:
    """Keys with usage, with a limit, and revoked."""
    keys = {
        "id": issue(acme, "--name", "laptop of Ada, for the weekly report about the harbor"),
        "limited": issue(acme, "--source", "docs:long", "--source", "docs:hidden"),
        "revoked": issue(acme, "--name", "W" * 100),
    }
    acme.cli("keys", "revoke", keys["revoked"], "--by", make.OWNER).json  # noqa: B018
    for number in range(60):
        issue(acme, "--name", f"agent {number}")
    with Redis.from_url(acme.redis_url) as redis:
        for age in range(30):
            name = usage_name(UUID(make.ACME), today() - timedelta(days=age))
            redis.hset(name, keys["id"], age * 37 % 211)
    return keys


def issue(acme: Deployment, *options: str) -> str:
    """Issue a key with the command. Returns its id."""
    rights = ("--access", "both", "--scope", "context:read,knowledge:read,x:read")
    command = ("keys", "issue", *WHO, *rights, "--expires-in-days", "30", *options, "--json")
    return str(acme.cli(*command).json()["id"])


def fill(page: Page, url: str, name: str) -> None:
    """Fill the form for a key with the keyboard only, up to its button."""
    page.goto(f"{url}/keys")
    page.get_by_role("link", name="Issue a key").press("Enter")
    page.get_by_label("Name").press_sequentially(name)
    page.keyboard.press("Tab")
    expect(page.get_by_label("REST and MCP")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_label("context:read")).to_be_focused()
    page.keyboard.press("Space")


@pytest.mark.parametrize("dress", DRESSES)
def test_pages_are_accessible(
    chromium: Browser, acme: Deployment, url: str, ids: dict[str, str], axe: str, dress: str
) -> None:
    """No violation of axe's rules, nothing wider than the screen, no other host, no error."""
    visit = signed_in(chromium, acme, url, **DRESSES[dress])
    page = visit.page
    paths = {name: path.format(**ids) for name, path in PAGES.items()}
    check_pages(visit, url, paths, axe, dress)
    fill(page, url, f"client {dress}")
    page.get_by_label("Only chosen ones").check()
    page.get_by_role("button", name="Issue the key").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing was changed")
    check(page, axe, f"wrong-{dress}")
    page.get_by_label("All, including those").check()
    page.get_by_label("Client that will use it").select_option("VS Code")
    page.get_by_role("button", name="Issue the key").click()
    secret(page)
    check(page, axe, f"secret-{dress}")
    assert visit.hosts() == {url.removeprefix("http://")}
    assert not visit.errors
    visit.close()


def test_owner_decides_with_the_keyboard(chromium: Browser, acme: Deployment, url: str) -> None:
    """Issue, reload, rotate and revoke. A secret is not in an address and not kept."""
    visit = signed_in(chromium, acme, url)
    page = visit.page
    fill(page, url, "by keyboard")
    page.keyboard.press("Enter")
    secrets = [secret(page)]
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("This request issued a key already")
    page.goto(f"{url}/keys?state=active")
    page.get_by_role("link", name="by keyboard").press("Enter")
    page.get_by_role("button", name="Rotate").press("Enter")
    secrets.append(secret(page))
    page.get_by_role("link", name="I have stored it").press("Enter")
    page.get_by_text("Revoke…").press("Enter")
    page.get_by_role("button", name="Revoke this key").press("Enter")
    expect(page.get_by_role("status")).to_contain_text("You revoked the key")
    page.go_back()
    assert not any(secret in page.content() for secret in secrets)
    requested = " ".join(request.url for request in visit.requests)
    assert not any(secret in requested for secret in secrets)
    assert not visit.errors
    visit.close()


def test_keys_are_issued_without_scripts(chromium: Browser, acme: Deployment, url: str) -> None:
    visit = signed_in(chromium, acme, url)
    state: Any = visit.context.storage_state()
    plain = chromium.new_context(java_script_enabled=False, storage_state=state)
    page = plain.new_page()
    fill(page, url, "without scripts")
    page.get_by_role("button", name="Issue the key").click()
    secret(page)
    plain.close()
    visit.close()


def secret(page: Page) -> str:
    """The secret on the page that shows it once."""
    expect(page.get_by_role("heading", level=1)).to_have_text("Store this secret now")
    (found,) = KEY_PATTERN.findall(page.content())
    written.issue(found)
    return str(found)
