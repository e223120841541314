"""The dates of documents: every form that generators accept, and what happens to the others."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers.markdown.dates import LONGEST_DATE, date_in_path, parse
from tests.importers.conftest import STAMPED_AT, Read, Run, Write, imported, markdown, unchanged
from tests.importers.repositories import commit, git

DAY = datetime(2024, 1, 2, tzinfo=UTC)
MORNING = DAY.replace(hour=10)


def dates(folder: Path) -> dict[str, tuple[str, str]]:
    items, _ = imported(markdown, folder)
    return {data["title"]: (data["createdAt"], data["updatedAt"]) for data in items}


@pytest.mark.parametrize(
    ("value", "time"),
    [
        ("2024/01/02", DAY),
        ("2024/1/2 10:00:00", MORNING),
        ("2024-1-2", DAY),
        ("2024.01.02", DAY),
        ("2024-01-02 11:00:00 +0100", MORNING),
        ("2024-01-02 18:00:00 +0800 CST", MORNING),
        ("2024-01-02T10:00:00.000Z", MORNING),
        ("2024-01-02 10:00 am", MORNING),
        ("2024-01-02 5:00 EST", MORNING),
        ("01/02/2024", DAY),
        ("02.01.2024", DAY),
        ("Jan 02 2024", DAY),
        ("January 2nd, 2024", DAY),
        ("2 January 2024", DAY),
        ("Tue, 02 Jan 2024 10:00:00 GMT", MORNING),
        ("Tue Jan 02 2024 11:00:00 GMT+0100 (Central European Standard Time)", MORNING),
        ("Tue Jan  2 10:00:00 UTC 2024", MORNING),
        ("<2024-01-02 Tue>", DAY),
        ("[2024-01-02 Tue 10:00]", MORNING),
        ("2024年1月2日", DAY),
        (1704189600, MORNING),
        ("1704189600", MORNING),
        (1704189600000, MORNING),
        (1704189600.0, MORNING),
        (946684800000, datetime(2000, 1, 1, tzinfo=UTC)),
        (20240102, DAY),
        ("202401021000", MORNING),
        ({"date": "2024-01-02", "author": "Ada"}, DAY),
        ({"created": "2024-01-02", "updated": "2025-01-02"}, DAY),
    ],
)
def test_date_form_is_read(value: Any, time: datetime) -> None:
    assert parse(value) == time


UNREADABLE: tuple[Any, ...] = (
    "tomorrow", "10", "May", "Friday", "1.2.3", "13/13/2024", "2024-02-30", "2024/99/99", "10:00",
    "2024-01-02 10:00 XYZ", "2024-01-02 25:00", 10**40, 16**5_000, float("nan"), float("inf"), -1,
    7, True, "Mayor 5 2024", None, [], {}, {"date": {}}, "-" * LONGEST_DATE,
    "2024-01-02" + " " * LONGEST_DATE,
)  # fmt: skip


def test_unreadable_date_is_not_completed() -> None:
    assert [parse(value) for value in UNREADABLE] == [None] * len(UNREADABLE)


@pytest.mark.parametrize(
    ("path", "time"),
    [
        ("_posts/2024-01-02-title", DAY),
        ("blog/2024/01/02-title", DAY),
        ("blog/2024-01-02-title/index", DAY),
        ("2024_01_02", DAY),
        ("2023-05-05-trip/2024-01-02 Notes", DAY),
        ("v2024.1.2/install", None),
        ("2024-13-02-title", None),
        ("item-2024-01-02", None),
        ("2024-01-023", None),
    ],
)
def test_path_contains_a_date(path: str, time: datetime | None) -> None:
    assert date_in_path(path) == time


def test_front_matter_dates_a_page(write: Write) -> None:
    fronts = {
        "hexo": "date: 2024/01/02 10:00:00\nupdated: 2024/03/04 10:00:00",
        "dendron": "created: 1704189600000\nupdated: 1709546400000",
        "material": "date:\n  created: 2024-01-02T10:00:00Z\n  updated: 2024-03-04T10:00:00Z",
        "jekyll": "date: 2024-01-02 10:00:00\nlast_modified_at: 2024-03-04 10:00:00",
        "learn": "ms.date: 03/04/2024\ncreated: 2024-01-02",
        "docusaurus": "date: 2024-01-02\nlast_update:\n  date: 3/4/2024",
        "astro": "pubDate: Jan 02 2024\nupdatedDate: Mar 04 2024",
        "linter": "date created: 2024-01-02\ndate modified: 2024-03-04",
    }
    for name, front in fronts.items():
        folder = write(f"docs/{name}.md", f"---\n{front}\n---\nText of {name}").parent
    read = dates(folder)
    assert {(created[:10], updated[:10]) for created, updated in read.values()} == {
        ("2024-01-02", "2024-03-04")
    }
    assert len(read) == len(fronts)


def test_updated_follows_date_never_a_fresh_checkout(write: Write) -> None:
    write("docs/a.md", "---\ndate: 2024-01-02\n---\nA")
    write("docs/b.md", "---\nlastmod: 2024-01-02\n---\nB")
    write("docs/2024-01-02-c.md", "C")
    folder = write("docs/d.md", "D").parent
    read = dates(folder)
    day = "2024-01-02T00:00:00Z"
    assert read.pop("d") == (STAMPED_AT, STAMPED_AT)
    assert set(read.values()) == {(day, day)}


def test_commit_updates_a_page_that_states_only_its_date(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    commit(tmp_path, 5, page="---\ndate: 2023-01-01\n---\nText")
    assert dates(tmp_path) == {"page": ("2023-01-01T00:00:00Z", "2024-01-05T00:00:00Z")}


def test_unreadable_and_guessed_dates_are_reported(run: Run, read: Read, write: Write) -> None:
    write("docs/a.md", "---\ndate: tomorrow\nupdated: 2024-01-02\n---\nA")
    write("docs/b.md", "---\nlastmod: [1]\n---\nB")
    write("docs/c.md", "---\ndate: 01/02/2024\n---\nC")
    write("docs/d.md", "---\ndate: '2024'\n---\nD")
    write("docs/e.md", "---\nms.date: 01/02/2024\n---\nE")
    folder = write(
        "docs/f.md", "---\ndate: Last Modified\npublished: true\nupdated:\n---\nF"
    ).parent
    report = run("markdown", folder, source="docs:main").json()
    assert report["skipped"] == {
        "unreadable date in the front matter": {
            "count": 2,
            "examples": ["a.md: date: tomorrow", "b.md: lastmod: no text"],
        }
    }
    assert report["repaired"] == {
        "a date such as 01/02/2024, read as month/day/year": 1,
        "a date without a day, read as the first": 1,
    }
    items = {item["title"]: item for item in read("/knowledge")}
    assert items["a"]["createdAt"] == "2024-01-02T00:00:00Z"
    assert unchanged(run("markdown", folder, source="docs:main").json())


def test_scheduled_page_in_any_form_of_date_is_not_published(write: Write) -> None:
    for number, date in enumerate(("2999/01/02 10:00:00", "Jan 02 2999", "{created: 2999-01-02}")):
        folder = write(f"docs/{number}.md", f"---\ndate: {date}\n---\nText").parent
    items, report = imported(markdown, folder)
    assert not items
    assert report.skipped["not published: a publication date in the future"].count == 3
