"""Follow the links and press the buttons of the page until it has shown all records."""

from collections.abc import Iterator

from tests.page.browser import Visit

AREAS = 'nav[aria-label="Page"] a'
VIEWS = 'nav[aria-label="Views"] a'
RECORD_LINKS = '.view a[href^="#/explore/"]'
# Controls that show more of a view. The first one present is pressed, so one list is complete
# before another one is loaded.
SHOW_MORE = (
    '.pager button:has-text("Next"):enabled',
    "button.more",
    '.twist[aria-expanded="false"]',
    '.actions > button:has-text("Show more")',
    "details.more:not([open]) > summary",
    'input[type="checkbox"]:not(:checked)',
)
LOAD_MORE_TEXT = "text=scroll to load the rest"


def links(visit: Visit, selector: str) -> list[str]:
    """Return the distinct addresses of links, in the order of the page."""
    addresses = visit.page.eval_on_selector_all(
        selector, "links => links.map(link => link.getAttribute('href'))"
    )
    return list(dict.fromkeys(addresses))


def walk(visit: Visit) -> Iterator[str]:
    """Show everything that the key can read. Yields a view's address each time it shows more."""
    visit.open("#/explore")
    queue = links(visit, VIEWS)
    seen = set()
    while queue:
        address = queue.pop(0)
        path = address.split("?")[0]
        if path in seen:
            continue
        seen.add(path)
        visit.open(address)
        yield address
        for _ in _expand(visit):
            queue += links(visit, RECORD_LINKS)
            yield address


def _expand(visit: Visit) -> Iterator[None]:
    """Press buttons and scroll until nothing more appears. Yields at least once."""
    page = visit.page
    while True:
        yield
        if page.locator(LOAD_MORE_TEXT).count():
            page.evaluate("scrollTo(0, document.body.scrollHeight)")
            page.wait_for_timeout(30)
        elif selectors := [selector for selector in SHOW_MORE if page.locator(selector).count()]:
            page.locator(selectors[0]).first.click()
        else:
            return
        visit.settle()


def examples(visit: Visit) -> Iterator[str]:
    """Yield the address of each area, each view, and one record of each view that has records."""
    for address in links(visit, AREAS):
        yield address
    for address in links(visit, VIEWS):
        yield address
        visit.open(address)
        records = [link for link in links(visit, RECORD_LINKS) if link.startswith(f"{address}/")]
        yield from records[:1]
