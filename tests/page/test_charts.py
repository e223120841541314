"""Messages and mentions per week equal what the API has, from a bounded number of requests."""

from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any

import pytest

from tests.page.browser import SCHEMES, Open
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.service import Running, serve

pytestmark = pytest.mark.system

WEEKS = 12
# The context, the chats, and a page of messages and of mentions.
MOST_REQUESTS = 4
IS_DRAWN = """() => [...document.querySelectorAll(".plot canvas")].map((one) =>
    one.getContext("2d").getImageData(0, 0, one.width, one.height).data.some((byte) => byte))"""


def get(served: Running, path: str) -> Any:
    return served.get(f"/api/v1{path}", served.key).body


def sent_at(served: Running) -> Iterator[str]:
    """The times of all messages of the first chat."""
    path = f"/telegram/chats/{get(served, '/telegram/chats')['data'][0]['id']}/messages?limit=100"
    before: int | None = 2**31 - 1
    while before:
        body = get(served, f"{path}&before={before}")
        yield from (message["sentAt"] for message in body["data"])
        before = body["pagination"]["nextBefore"]


def created_at(served: Running) -> Iterator[str]:
    """The times of all mentions."""
    page = 1
    while page:
        body = get(served, f"/x/mentions?page={page}")
        yield from (post["createdAt"] for post in body["data"])
        page = page + 1 if body["pagination"]["hasNextPage"] else 0


def per_week(moments: Iterator[str]) -> list[str]:
    """The counts of the last weeks that have any, oldest first."""
    days = [datetime.fromisoformat(moment).date() for moment in moments]
    mondays = Counter(day - timedelta(days=day.weekday()) for day in days)
    newest: date = max(mondays)
    weeks = [newest - timedelta(weeks=back) for back in reversed(range(WEEKS))]
    return [str(mondays[week]) for week in weeks]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_charts_equal_the_data(explore: Open, harbor: Running, axe: str, scheme: str) -> None:
    """The table behind each chart, opened with the keyboard, has the counts of each week."""
    options = {**SCHEMES[scheme], "timezone_id": "UTC"}
    seen = explore(harbor, "#/explore/activity", **options)
    seen.page.wait_for_function("() => document.querySelectorAll('.plot canvas').length === 2")
    seen.settle()
    assert seen.page.evaluate(IS_DRAWN) == [True, True]
    assert len([one for one in seen.requests if "/api/" in one.url]) <= MOST_REQUESTS
    for button in reversed(seen.page.get_by_role("button", name="Count 1000 more").all()):
        button.click()
        button.wait_for(state="detached")
    seen.page.wait_for_function("() => document.querySelectorAll('.plot canvas').length === 2")
    expected = {"messages": per_week(sent_at(harbor)), "mentions": per_week(created_at(harbor))}
    for name, counts in expected.items():
        section = seen.page.locator(f"section[aria-labelledby={name}]")
        section.locator("summary").press("Enter")
        assert section.locator("tbody td").all_inner_texts() == counts
        total = sum(map(int, counts))
        assert f"{total} {name} in {WEEKS} weeks." in section.locator("figcaption").inner_text()
    seen.check(axe)
    assert seen.hosts() == {f"127.0.0.1:{harbor.port}"}


def test_weeks_beyond_the_requests_are_not_counted(explore: Open, deployment: Deployment) -> None:
    """A week that is not read whole is unknown, never 0, until somebody asks for more."""
    first = datetime.fromisoformat("2026-01-05T12:00:00Z")
    times = [first + timedelta(minutes=18 * number) for number in range(1090)]
    messages = (make.message(id_, sentAt=f"{at:%FT%TZ}") for id_, at in enumerate(times, 1))
    deployment.load_acme(make.source("telegram"), make.chat(), *messages)
    key = deployment.issue_key(make.ACME, make.OWNER, ["context:read", "telegram:read"])
    with serve(deployment, key) as served:
        seen = explore(served, "#/explore/activity", timezone_id="UTC")
        counts = seen.page.locator("section[aria-labelledby=messages] tbody td")
        button = seen.page.get_by_role("button", name="Count 1000 more")
        button.wait_for()
        assert len([one for one in seen.requests if "/messages" in one.url]) == 1
        # The page of 100 begins within the last week but one.
        assert counts.all_text_contents() == ["not counted"] * (WEEKS - 1) + counted(times)[-1:]
        assert not seen.page.locator("text=Mentions per week").count()
        button.click()
        button.wait_for(state="detached")
        seen.page.wait_for_function("() => document.querySelectorAll('tbody td').length")
        assert counts.all_text_contents() == ["0"] * (WEEKS - 3) + counted(times)


def counted(times: list[datetime]) -> list[str]:
    """The counts of the weeks of these times without those before the first."""
    return [count for count in per_week(f"{at:%FT%TZ}" for at in times) if count != "0"]


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


# Previews of documents and notes are rendered, and the found term is marked in them


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
