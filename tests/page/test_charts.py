"""Messages and mentions per week equal what the API has, from a bounded number of requests."""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.mcp.served import Served, serve
from tests.page.browser import SCHEMES, Open
from tests.page.test_views import VIOLATIONS, WIDER
from tests.support import factories as make
from tests.support.deployment import Deployment

pytestmark = pytest.mark.system

WEEKS = 12
# The context, the chats, and a page of messages and of mentions.
MOST_REQUESTS = 4
IS_DRAWN = """() => [...document.querySelectorAll(".plot canvas")].map((one) =>
    one.getContext("2d").getImageData(0, 0, one.width, one.height).data.some((byte) => byte))"""


def get(served: Served, path: str) -> Any:
    headers = {"Authorization": f"Bearer {served.key}"}
    url = f"http://127.0.0.1:{served.port}/api/v1{path}"
    with urlopen(Request(url, headers=headers)) as response:
        return json.load(response)


def sent_at(served: Served) -> Iterator[str]:
    """The times of all messages of the first chat."""
    path = f"/telegram/chats/{get(served, '/telegram/chats')['data'][0]['id']}/messages?limit=100"
    before: int | None = 2**31 - 1
    while before:
        body = get(served, f"{path}&before={before}")
        yield from (message["sentAt"] for message in body["data"])
        before = body["pagination"]["nextBefore"]


def created_at(served: Served) -> Iterator[str]:
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
def test_charts_equal_the_data(explore: Open, harbor: Served, axe: str, scheme: str) -> None:
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
    seen.page.evaluate(axe)
    assert seen.page.evaluate(VIOLATIONS) == []
    assert seen.page.evaluate(WIDER) <= 0
    assert seen.hosts() == {f"127.0.0.1:{harbor.port}"}


def test_weeks_beyond_the_requests_are_not_counted(explore: Open, deployment: Deployment) -> None:
    """A week that is not read whole is unknown, never 0, until somebody asks for more."""
    first = datetime.fromisoformat("2026-01-05T12:00:00Z")
    times = [first + timedelta(minutes=18 * number) for number in range(1090)]
    deployment.load(
        [
            make.organization(),
            *make.staff(),
            make.source("telegram"),
            make.chat(),
            *(make.message(id_, sentAt=f"{at:%FT%TZ}") for id_, at in enumerate(times, 1)),
        ]
    )
    deployment.approve(make.ACME, make.OWNER)
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
