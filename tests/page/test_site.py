"""The documentation site is accessible in both themes and on a phone, and its search answers."""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser

from tests.docs.test_site import build
from tests.page.browser import SCHEMES
from tests.page.test_views import VIOLATIONS
from tests.support.processes import ROOT

pytestmark = pytest.mark.system

PAGES = (
    "index", "overview", "tasks/agent", "reference/api", "reference/settings", "errors", "limits",
    "importing", "operations/index", "architecture",
)  # fmt: skip
# The theme adds a button to each block of code, and wraps each table.
COMPLETE = """() => document.querySelectorAll("pre > code").length
        === document.querySelectorAll("pre .md-code__nav[role=none]").length
    && document.querySelectorAll(".md-typeset table:not([class])").length
        === document.querySelectorAll(".md-typeset__scrollwrap").length"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("site")
    result = build(ROOT, directory)
    assert result.returncode == 0, result.stderr
    return directory


@pytest.mark.parametrize("scheme", SCHEMES)
def test_site_is_accessible(chromium: Browser, site: Path, axe: str, scheme: str) -> None:
    """No violation of axe's rules. axe skips the search, which is closed."""
    context = chromium.new_context(**SCHEMES[scheme])
    page = context.new_page()
    for name in PAGES:
        page.goto((site / f"{name}.html").as_uri())
        page.wait_for_function(COMPLETE)
        page.evaluate(axe)
        assert page.evaluate(VIOLATIONS) == [], name
    assert page.locator("[role=dialog]").get_attribute("aria-label") == "Search"
    context.close()


# What a newcomer asks, and the page that answers.
QUESTIONS = {
    "what is a source": "getting-started", "what is a scope": "getting-started",
    "semantic search": "getting-started", "install": "operations/install", "Slack": "importing",
    "Confluence": "importing", "SharePoint": "importing", "Google Drive": "importing",
    "import a PDF": "importing", "connect an agent": "tasks/agent", "revoke a key": "tasks/owner",
    "401": "errors", "issue a key": "tasks/owner", "revoke key": "tasks/owner",
    "who read a document": "tasks/owner", "undo": "tasks/owner",
}  # fmt: skip


def test_first_result_of_the_search_answers(chromium: Browser, site: Path) -> None:
    """One of the questions may have another page first."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(site))
    answers = {}
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        page = chromium.new_page()
        for question in QUESTIONS:
            page.goto(f"http://127.0.0.1:{server.server_port}/index.html?q={question}")
            link = page.locator(".md-search-result__link").first
            link.wait_for(state="attached")
            answers[question] = (link.get_attribute("href") or "").partition(".html")[0]
        page.close()
        server.shutdown()
    wrong = {question for question, name in QUESTIONS.items() if name not in answers[question]}
    assert len(wrong) <= 1, answers
