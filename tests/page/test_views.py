"""Views work with the keyboard, show their requests correctly, and say what to do after errors."""

import json
import os
import re
import subprocess
import sys
from typing import Any

import pytest

from orgctx.operations.execution import without_nulls
from tests.page.browser import Open, Visit
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.service import Running, serve

pytestmark = pytest.mark.system


def test_keyboard_suffices(visit: Open, harbor: Running) -> None:
    """Skip to the content, paste, go to a view, search, open the request, send it again."""
    seen = visit(harbor)
    seen.open()
    press = seen.page.keyboard.press
    press("Tab")
    assert seen.page.evaluate("document.activeElement.textContent") == "Skip to the content"
    press("Enter")
    reach(seen, "", "password")
    seen.page.keyboard.insert_text(harbor.key)
    press("Enter")
    seen.page.wait_for_selector(".view h1")
    reach(seen, "Search")
    press("Enter")
    seen.page.wait_for_selector('input[type="search"]')
    assert seen.page.evaluate("document.activeElement.id") == "main"
    reach(seen, "")
    seen.page.keyboard.insert_text("lamp")
    seen.page.wait_for_selector("mark")
    seen.page.locator(".strip .path", has_text="q=lamp").wait_for()
    seen.page.locator(".strip summary").focus()
    press("Enter")
    reach(seen, "Send again")
    press("Enter")
    seen.page.wait_for_selector(".facts >> text=304, unchanged")


def reach(seen: Visit, text: str, field: str = "search") -> None:
    """Press Tab until the focus is on the link or button of this text, or for "" on a field."""
    for _ in range(60):
        seen.page.keyboard.press("Tab")
        name, kind = seen.page.evaluate(
            "[document.activeElement.textContent.trim(), document.activeElement.type]"
        )
        if name == text and (text or kind == field):
            return
    raise AssertionError(text)


def test_request_snippets_return_the_data_of_the_view(explore: Open, harbor: Running) -> None:
    """What a view shows as curl, MCP call and Python answers with the view's own data."""
    seen = explore(harbor, "#/explore/search?q=it's+%22the%22+%24HOME")
    for address in ("#/explore/search?q=it's+%22the%22+%24HOME", "#/explore/people?q=mira"):
        seen.open(address)
        details = seen.page.locator(".strip details")
        if details.get_attribute("open") is None:
            details.locator("summary").click()
        texts = {}
        for name in ("curl", "MCP", "Python", "JSON"):
            details.get_by_role("button", name=name, exact=True).click()
            texts[name] = details.locator("pre").inner_text()
        data = json.loads(texts["JSON"])["data"]
        environment = {**os.environ, "ORGCTX_API_KEY": harbor.key}
        assert run(["bash", "-c", texts["curl"]], environment)["data"] == data
        assert run([sys.executable, "-c", texts["Python"]], environment)["data"] == data
        called = run(["bash", "-c", texts["MCP"]], environment)
        content = called["result"]["structuredContent"]["data"]
        if "items" in data:
            # The tool leaves out sources without an item, and helps if nothing is found.
            assert content["items"] == data["items"]
            assert content["searchedSourceCount"] == len(data["sources"])
        else:
            assert content == without_nulls(data)


def run(command: list[str], environment: dict[str, str]) -> Any:
    done = subprocess.run(command, env=environment, capture_output=True, check=True, timeout=30)
    return json.loads(done.stdout)


def test_previews_are_rendered(explore: Open, harbor: Running) -> None:
    seen = explore(harbor, "#/explore/knowledge")
    previews = seen.page.locator(".results li > p[dir]")
    seen.page.wait_for_selector(".results em >> text=red")
    assert seen.page.locator(".results code >> text=tidebook next STATION").count() == 1
    text = "\n".join(previews.all_inner_texts())
    assert "Lamp log of Saltmarsh Point" in text
    for mark in ("# ", "**", "|--", "`"):
        assert mark not in text
    seen.open("#/explore/search?q=tidebook")
    seen.page.wait_for_selector(".results code mark")
    # Only the library is written in Markdown.
    seen.open("#/explore/search?q=%23tides")
    seen.page.wait_for_selector(".results mark >> text=#tides")


@pytest.fixture
def acme(deployment: Deployment) -> Deployment:
    """An organization with a member who may issue keys, and a few records."""
    deployment.load_acme(make.source("docs"), make.knowledge())
    return deployment


def test_errors_say_what_to_do(explore: Open, acme: Deployment) -> None:
    key = acme.issue_key(make.ACME, make.OWNER, ["context:read"])
    with serve(acme, key) as served:
        seen = explore(served, "#/explore/token")
        text = seen.page.inner_text(".trouble")
        assert text.count("This key lacks the scope token:read") == 1
        assert seen.page.get_by_role("link", name="Token").count() == 0
        (row,) = acme.cli("keys", "list", "--organization", make.ACME, "--json").json()
        acme.cli("keys", "revoke", row["id"], "--by", make.OWNER).done()
        seen.open("#/explore")
        assert "This key does not work" in seen.page.inner_text(".trouble")
        seen.page.get_by_role("button", name="Use another key").click()
        assert seen.page.get_by_label("API key").is_visible()


def test_rate_limit_says_when_to_retry(visit: Open, acme: Deployment) -> None:
    key = acme.issue_key(make.ACME, make.OWNER)
    with serve(acme, key, limit_key=2) as served:
        seen = visit(served)
        seen.open("#/explore/knowledge")
        seen.enter(key)
        seen.page.get_by_role("link", name="People").click()
        trouble = seen.page.locator(".trouble")
        trouble.wait_for()
        says = r"Rate limit exceeded for this API key\. Retry in \d+ seconds?\."
        assert re.search(says, trouble.inner_text())
        assert trouble.get_by_role("button", name="Try again").is_enabled()


def test_error_is_shown_once(explore: Open, harbor: Running) -> None:
    """The tree of files and the selected file meet the same error. A proxy's error has no JSON."""
    seen = explore(harbor, "#/explore")
    seen.page.route("**/api/v1/assets**", lambda route: route.fulfill(status=503, body="<p>"))
    seen.open(f"#/explore/assets/{make.ACME}")
    text = seen.page.locator(".trouble:visible").inner_text()
    assert "The service could not answer" in text
    assert "did not respond" not in text


def test_failure_can_be_retried(explore: Open, acme: Deployment) -> None:
    """A 503 of the service, and a service that is unreachable."""
    key = acme.issue_key(make.ACME, make.OWNER)
    with serve(acme, key) as served:
        seen = explore(served, "#/explore")
        acme.execute("ALTER TABLE knowledge RENAME TO away")
        seen.open("#/explore/knowledge")
        assert "No data is lost" in seen.page.inner_text(".trouble")
        acme.execute("ALTER TABLE away RENAME TO knowledge")
        seen.page.get_by_role("button", name="Try again").click()
        seen.page.wait_for_selector(".results li")
    seen.open("#/explore/people")
    assert "did not respond" in seen.page.inner_text(".trouble")
