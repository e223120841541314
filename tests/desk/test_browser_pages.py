"""Signing in, documents, the audit log and members in a browser: on a phone, with the keyboard."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from orgctx.embedded import Servers
from tests.desk.served import check_pages, signed_in
from tests.page.browser import Visit
from tests.page.test_views import DRESSES, UNFOLD
from tests.support import factories as make
from tests.support.deployment import Deployment, copied

pytestmark = pytest.mark.system

WHO = ("--organization", "acme", "--for", make.OWNER, "--json")
PAGES = {
    "documents": "/documents",
    "suppressed": "/documents?suppressed=on",
    "document": f"/documents/{make.knowledge_id(1)}?decided=1",
    "audit": "/audit",
    "no-audit": "/audit?member=nobody",
    "members": "/members",
    "member": f"/members/{make.MEMBER}",
    "sign-in": "/sign-in",
    "ended": "/sign-in?ended=1",
}
NARROW = {"viewport": {"width": 320, "height": 640}, "has_touch": True}
# Controls that a finger might miss. Links within a sentence are exempt.
SMALL = """() => [...document.querySelectorAll("button, .button, select, .bar a, summary")]
    .map(one => [one.innerText, one.getBoundingClientRect().height])
    .filter(([, height]) => height && height < 44)"""


@pytest.fixture(scope="module")
def acme(servers: Servers, acme_template: str) -> Iterator[Deployment]:
    """Acme with hostile and long names."""
    with copied(servers, acme_template) as deployment:
        deployment.load(
            [
                make.knowledge(1, title="A" * 200, content="Summer \u202eparty. " + "w" * 300),
                make.member(make.MEMBER, "member", displayName="مريم " + "x" * 90),
            ]
        )
        yield deployment


@pytest.mark.parametrize("dress", [*DRESSES, "narrow"])
def test_pages_are_accessible(
    chromium: Browser, acme: Deployment, url: str, axe: str, dress: str
) -> None:
    """No violation of axe's rules, nothing wider than the screen, no control too small to touch."""
    visit = signed_in(chromium, acme, url, **(DRESSES | {"narrow": NARROW})[dress])
    check_pages(visit, url, PAGES, axe, dress)
    for path in PAGES.values() if dress in ("phone", "narrow") else ():
        visit.page.goto(url + path)
        visit.page.evaluate(UNFOLD)
        assert visit.page.evaluate(SMALL) == [], path
    visit.close()


def test_link_works_in_a_tab_that_shows_the_page(
    chromium: Browser, acme: Deployment, url: str
) -> None:
    """Such as after a link that was cut off. Then the browser loads no page for the link."""
    visit = Visit(chromium, url)
    page = visit.page
    link = acme.cli("desk", "invite", *WHO, ORGCTX_DESK_URL=url).json()["link"]
    page.goto(link[:-9])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_focused()
    page.goto(link)
    expect(page.get_by_role("button", name="Sign in")).to_be_focused()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator("input[name=secret]")).to_be_hidden()
    assert page.url == f"{url}/sign-in"
    page.keyboard.press("Enter")
    page.wait_for_url(f"{url}/")
    visit.close()


@pytest.mark.parametrize("fragment", ["main", "/explore/search?q=lamp"])
def test_other_fragments_are_no_link(chromium: Browser, url: str, fragment: str) -> None:
    """A redirect to the page keeps the fragment of the page whose session has ended."""
    visit = Visit(chromium, url)
    visit.page.goto(f"{url}/sign-in?ended=1#{fragment}")
    expect(visit.page.get_by_role("status")).to_contain_text("Your session has ended.")
    expect(visit.page.locator("input[name=secret]")).to_have_value("")
    visit.close()


def test_member_suppresses_and_restores_with_the_keyboard(
    chromium: Browser, acme: Deployment, url: str
) -> None:
    """What was done has the focus, so that a screen reader says it."""
    visit = signed_in(chromium, acme, url)
    page = visit.page
    page.goto(f"{url}/documents")
    page.get_by_label("Text in title or content").press_sequentially("summer")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="A" * 200).press("Enter")
    for button in ("Suppress", "Restore"):
        page.get_by_role("button", name=button).press("Enter")
        expect(page.get_by_role("status")).to_be_focused()
    page.get_by_role("link", name="Decisions about it").press("Enter")
    expect(page.get_by_role("heading", level=2)).to_contain_text(
        ["Owner restored", "Owner suppressed"]
    )
    visit.close()
