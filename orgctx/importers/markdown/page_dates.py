"""Choose the dates of a page: front matter, then history, then its path, then its file."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from orgctx.importers.folder.walk import Entry
from orgctx.importers.markdown.dates import date_in_path, guess, parse
from orgctx.importers.markdown.front_matter import FrontMatter, text_of
from orgctx.importers.records import written_at
from orgctx.importers.report import Report

# Normalized names of members, in the order of preference.
CREATED = (
    "created", "createdat", "createdon", "createddate", "creationdate", "datecreated",
    "date created", "dgcreated", "date", "datepublished", "published", "publishedat",
    "publisheddate", "publishdate", "pubdate",
)  # fmt: skip
UPDATED = (
    "updated", "updatedat", "updatedon", "updateddate", "dateupdated", "dgupdated", "lastmod",
    "lastmodified", "lastmodifiedat", "lastmodifieddate", "lastupdated", "lastupdatedat",
    "lastupdate", "modified", "modifiedat", "modifieddate", "datemodified", "date modified",
    "ms.date", "revdate",
)  # fmt: skip
# Values that name no date: Eleventy's words for the times of the file, and switches.
NO_DATES = (
    "", "true", "false", "yes", "no",
    "created", "last modified", "git created", "git last modified",
)  # fmt: skip


def page_dates(
    entry: Entry,
    front: FrontMatter,
    committed: tuple[datetime, datetime] | None,
    report: Report,
) -> tuple[datetime, datetime]:
    """Return when a page was created and updated, and report the dates that are unreadable.

    committed: times of the first and the last commit; None if unknown.
    """
    created = _first(_stated(front, CREATED, "created"), entry, report)
    updated = _first(_stated(front, UPDATED, "updated"), entry, report)
    first, last = committed or (None, None)
    created = created or date_in_path(entry.path.rpartition(".")[0])
    updated = updated or last or created or written_at(entry.status())
    created = created or min(first or updated, updated)
    return created, max(created, updated)


def _stated(front: FrontMatter, names: tuple[str, ...], key: str) -> Iterator[tuple[str, Any]]:
    """Yield the members that state a date; `date` may hold `{created, updated}`."""
    dates = front.get("date")
    if isinstance(dates, dict) and key in dates:
        yield f"date.{key}", dates[key]
    for name in names:
        value = front.members.get(name)
        if name == "date" and isinstance(value, dict):
            continue
        if isinstance(value, dict):
            value = value.get("date")
        is_word = isinstance(value, str) and value.strip().lower() in NO_DATES
        is_switch = isinstance(value, bool) or is_word
        if value is not None and not is_switch:
            yield name, value


def _first(stated: Iterator[tuple[str, Any]], entry: Entry, report: Report) -> datetime | None:
    """Return the first readable date."""
    first = None
    for name, value in stated:
        time = parse(value)
        if time is None:
            place = f"{entry.path}: {name}: {text_of(value) or 'no text'}"
            report.skip("unreadable date in the front matter", place)
        elif first is None:
            first = time
            if name != "ms.date" and (guessed := guess(value)):
                report.repair(guessed)
    return first
