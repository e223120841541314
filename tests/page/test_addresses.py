"""Addresses of messages, and of views without a key."""

import pytest

from orgctx.clients import EXAMPLE
from tests.page.browser import DRESSES, Open
from tests.support import factories as make
from tests.support import service
from tests.support.deployment import Deployment
from tests.support.processes import free_port
from tests.support.service import Running, serve

pytestmark = pytest.mark.system
LAST_IS_IN_SIGHT = """(selector) => {
    const { top, bottom } = [...document.querySelectorAll(selector)].at(-1).getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
}"""


@pytest.mark.parametrize("dress", ["light", "phone"])
def test_search_result_leads_to_its_message(
    explore: Open, harbor: Running, axe: str, dress: str
) -> None:
    """The message is highlighted between its neighbors, and a reply leads to its parent."""
    seen = explore(harbor, "#/explore/search?q=I+measured", **DRESSES[dress])
    seen.page.locator(".results a", has_text="Wanjiru").click()
    seen.page.wait_for_selector(".hit")
    seen.settle()
    hit = seen.page.locator(".hit")
    assert hit.count() == 1
    assert hit.get_attribute("aria-current") == "true"
    assert "I measured. 1.4." in hit.inner_text()
    assert seen.page.evaluate(LAST_IS_IN_SIGHT, ".hit")
    texts = seen.page.locator(".message").all_inner_texts()
    place = next(index for index, text in enumerate(texts) if "I measured. 1.4." in text)
    assert "Ours is still leaning by 1.4." in texts[place - 1]
    assert len(texts) > place + 1
    seen.check(axe, dresses=["dark", dress])
    hit.locator(".quoted a").focus()
    seen.page.keyboard.press("Enter")
    # The reply shows the same words as a quotation until the page has changed.
    hit.locator(".quoted a").wait_for(state="detached")
    seen.page.wait_for_selector(".hit >> text=The breakwater moved a stone.")
    assert hit.locator(".quoted a").count() == 0
    # The address of each message is a link, and is the address of the page.
    own = hit.locator(".when a").get_attribute("href") or ""
    assert seen.page.url.endswith(own)


def test_newer_messages_follow_a_permalink(explore: Open, harbor: Running) -> None:
    seen = explore(harbor, "#/explore/chats")
    seen.page.locator(".cards a", has_text="Dockside").click()
    seen.settle()
    newest = seen.page.locator(".message").last.locator(".when a").get_attribute("href") or ""
    chat, _, number = newest.partition("?around=")
    seen.open(f"{chat}?around={int(number) - 80}")
    while (newer := seen.page.get_by_role("link", name="Newer messages")).count():
        newer.click()
        seen.settle()
    assert seen.page.locator(".message").last.locator(".when a").get_attribute("href") == newest
    seen.open(f"{chat}?around=1")
    assert "Message 1 is not stored." in seen.page.inner_text("main")


@pytest.mark.parametrize("dress", ["light", "phone"])
def test_chat_starts_at_its_newest_message(explore: Open, harbor: Running, dress: str) -> None:
    """On a phone the whole page scrolls, not a box of messages. Older ones do not move it."""
    seen = explore(harbor, "#/explore/chats", **DRESSES[dress])
    seen.page.get_by_role("link", name="Dockside").click()
    seen.settle()
    assert seen.page.evaluate(LAST_IS_IN_SIGHT, ".message")
    seen.page.locator("button.more").evaluate("button => button.click()")
    seen.settle()
    assert seen.page.evaluate(LAST_IS_IN_SIGHT, ".message")


def test_view_that_does_not_exist_says_what_to_do(explore: Open, harbor: Running) -> None:
    seen = explore(harbor, "#/explore/nosuch")
    assert "Choose one of the views" in seen.page.inner_text("main")


def test_address_without_a_key_says_what_it_shows(visit: Open, harbor: Running, axe: str) -> None:
    seen = visit(harbor)
    for address, sentence, scope in (
        ("", "the organization, its sources", "context:read"),
        ("/search?q=<b>lamp</b>", "the records that contain “<b>lamp</b>”", "context:read"),
        ("/chats/17e2faa8?around=1112", "message 1112 of a chat", "telegram:read"),
        ("/knowledge/docs%3A1", "the document or note docs:1", "knowledge:read"),
    ):
        seen.open(f"#/explore{address}")
        text = seen.page.inner_text("main")
        assert f"With a key, this address shows {sentence}" in text
        assert scope in text
        seen.check(axe, address, ["light"])
    assert not [request for request in seen.requests if "/api/" in request.url]


# Without a base URL, the page shows the address in the browser


def test_configurations_contain_the_address_in_the_browser(
    opened: Open, deployment: Deployment
) -> None:
    port = free_port()
    settings = {"port": port, "bind": f"127.0.0.1:{port}", "base_url": ""}
    with service.serve(deployment, **settings):
        seen = opened(f"http://localhost:{port}")
        seen.open("#/connect/curl")
        text = seen.page.locator("main").inner_text()
    assert text.count(f"http://localhost:{port}/api/mcp") == 2
    assert "127.0.0.1" not in text
    assert EXAMPLE not in text


# The page of an organization whose name is not approved


def test_page_says_what_shows_the_name(explore: Open, own_acme: Deployment) -> None:
    key = own_acme.issue_key(make.ACME, make.OWNER)
    text = "Its name is in the profile source, which this key does not read."
    with serve(own_acme, key) as served:
        for is_named in (True, False):
            seen = explore(served)
            seen.page.get_by_role("heading", level=1).wait_for()
            assert seen.page.get_by_text(text).count() == (0 if is_named else 1)
            own_acme.cli("sources", "withdraw", *make.WHO, make.KIND_SOURCES["profile"]).done()
