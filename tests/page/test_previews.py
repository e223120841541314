"""Previews of documents and notes are rendered, and the found term is marked in them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.mcp.served import Served
from tests.page.browser import Visit

pytestmark = pytest.mark.system


def test_previews_are_rendered(chromium: Browser, harbor: Served) -> None:
    seen = Visit(chromium, f"http://127.0.0.1:{harbor.port}")
    seen.open("#/explore/knowledge")
    seen.enter(harbor.key)
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
    assert not seen.errors
    seen.close()
