"""Walk through the page by its own links and buttons, as somebody who wants to see everything."""

from __future__ import annotations

from collections.abc import Iterator

from tests.page.browser import Visit

AREAS = 'nav[aria-label="Page"] a'
VIEWS = 'nav[aria-label="Views"] a'
INSIDE = '.view a[href^="#/explore/"]'
# These show more of a view. The order lets one list end before another begins.
MORE = (
    '.pager button:has-text("Next"):enabled',
    "button.more",
    '.twist[aria-expanded="false"]',
    '.actions > button:has-text("Show more")',
    "details.more:not([open]) > summary",
    'input[type="checkbox"]:not(:checked)',
)
UNREAD = "text=scroll to load the rest"


def links(visit: Visit, selector: str) -> list[str]:
    """The addresses of links, each once."""
    found = visit.page.eval_on_selector_all(
        selector, "links => links.map(link => link.getAttribute('href'))"
    )
    return list(dict.fromkeys(found))


def walk(visit: Visit) -> Iterator[str]:
    """Show everything that the key may see. Yields the address whenever there is more to see."""
    visit.open("#/explore")
    waiting = links(visit, VIEWS)
    seen = set()
    while waiting:
        address = waiting.pop(0)
        path = address.split("?")[0]
        if path in seen:
            continue
        seen.add(path)
        visit.open(address)
        yield address
        for _ in _unfold(visit):
            waiting += links(visit, INSIDE)
            yield address


def _unfold(visit: Visit) -> Iterator[None]:
    """Press buttons and scroll until nothing more appears. Yields at least once."""
    page = visit.page
    while True:
        yield
        if page.locator(UNREAD).count():
            page.evaluate("scrollTo(0, document.body.scrollHeight)")
            page.wait_for_timeout(30)
        elif offered := [one for one in MORE if page.locator(one).count()]:
            page.locator(offered[0]).first.click()
        else:
            return
        visit.settle()


def examples(visit: Visit) -> Iterator[str]:
    """Each area, each view, and one record of each view that has records."""
    for address in links(visit, AREAS):
        yield address
    for address in links(visit, VIEWS):
        yield address
        visit.open(address)
        inside = [one for one in links(visit, INSIDE) if one.startswith(f"{address}/")]
        yield from inside[:1]
