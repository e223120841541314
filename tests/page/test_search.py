"""Search counts its results by kind, source and year; previews are rendered, and show the term."""

from collections import Counter
from typing import Any

import pytest

from tests.page.browser import Open
from tests.support.service import Running

pytestmark = pytest.mark.system


def test_search_counts_by_kind_source_and_year(explore: Open, harbor: Running, axe: str) -> None:
    seen = explore(harbor, "#/explore/search?q=lamp", timezone_id="UTC")
    seen.page.wait_for_selector(".facets")

    def items(path: str) -> list[dict[str, Any]]:
        seen.settle()
        seen.page.wait_for_function("path => performance.getEntriesByType('resource')"
                                    ".some(one => one.name.includes(path))", arg=path)  # fmt: skip
        seen.settle()
        (answer,) = (one for name, one in seen.answers().items() if path in name)
        return list(answer["data"]["items"])

    def counts(name: str) -> Counter[str]:
        chips = seen.page.get_by_role("group", name=name).get_by_role("button")
        texts = [text.rpartition(" ") for text in chips.all_inner_texts()]
        return Counter({value: int(count) for value, _, count in texts})

    found = items("/search?q=lamp&limit=20")
    assert counts("Kinds") == Counter(item["kind"] for item in found)
    assert counts("Sources") == Counter(item["sourceLabel"] for item in found)
    assert counts("Years") == Counter(item["updatedAt"][:4] for item in found)
    assert "Counted in the 20 newest results; there are more." in seen.page.inner_text(".facets")
    sources = seen.page.get_by_role("group", name="Sources")
    sources.get_by_role("button", name="Keeper's manual").press("Enter")
    found = items("source=docs%3Amanual")
    assert {item["sourceId"] for item in found} == {"docs:manual"}
    assert counts("Years") == Counter(item["updatedAt"][:4] for item in found)
    assert len(counts("Years")) > 1
    seen.page.get_by_role("group", name="Years").get_by_role("button").first.press("Enter")
    year = min(item["updatedAt"][:4] for item in found)
    found = items(f"after={year}-01-01")
    assert counts("Years") == Counter({year: len(found)})
    pressed = seen.page.locator(".facets [aria-pressed=true]")
    assert pressed.count() == 2
    seen.check(axe)
    # A chosen value is given up by the same button.
    pressed.last.press("Enter")
    seen.settle()
    assert "after=" not in seen.page.url


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
