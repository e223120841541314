"""Previews of the page are rendered, and show the term of a search."""

import pytest

from tests.page.browser import Open
from tests.support.service import Running

pytestmark = pytest.mark.system


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
