"""Parse the dates that site generators and note programs accept.

Text is never completed from today's date: what matches no known form is unreadable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any

LONGEST_DATE = 100  # characters
MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
WEEKDAY = re.compile(r"\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,?", re.IGNORECASE)
MONTH = r"(?P<name>[a-z]{3,9})\.?"
DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})",
        r"(?P<year>\d{4})(?:[-/.](?P<month>\d{1,2}))?",
        r"(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4})",
        r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})",
        rf"{DAY}[ -]{MONTH},?[ -](?P<year>\d{{4}})",
        rf"{MONTH} {DAY},? (?P<year>\d{{4}})",
    )
)
TIME = re.compile(
    r"(?:t|,? at |[, ] ?)(?P<hour>\d{1,2}):(?P<minute>\d{2})"
    r"(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,9}))?)?(?: ?(?P<half>[ap])\.?m\.?)?",
    re.IGNORECASE,
)
ZONE = re.compile(
    r" ?(?:(?:gmt|utc) ?)?(?P<offset>[+-]\d{2}:?(?:\d{2})?)(?: [a-z]{2,5})?(?: \([^()]{1,60}\))?"
    r"| ?(?P<name>[a-z]{1,4})",
    re.IGNORECASE,
)
# `Jan 2 10:00:00 UTC 2024`, as `date` and Ruby print it.
YEAR_LAST = re.compile(r"([a-z]{3} \d{1,2}) ([\d:]{8}.{0,6}) (\d{4})", re.IGNORECASE)
# The names of zones that RFC 5322 defines, with their offsets in hours.
ZONES = {"z": 0, "ut": 0, "utc": 0, "gmt": 0} | {
    f"{letter}{kind}t": offset + (kind == "d")
    for letter, offset in zip("ecmp", range(-5, -9, -1), strict=True)
    for kind in "sd"
}
CJK = str.maketrans({"年": "-", "月": "-", "日": " "})
# The space in `2026-01-31 08:00:00 +0100`, as Ruby writes times.
BEFORE_ZONE = re.compile(r"(?<=\d) (?=[+-]\d|Z)")
AMBIGUOUS = re.compile(r"(?:0?[1-9]|1[0-2])/(?:0?[1-9]|1[0-2])/\d{4}\b")
INCOMPLETE = re.compile(r"\d{4}(?:[-/.]\d{1,2})?")
# Formats of digits such as 20240102, by their number.
COMPACT = {4: "%Y", 8: "%Y%m%d", 12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}
COMPACT_YEARS = range(1900, 3000)
# A date in a path: `2024-01-02-title`, `2024_01_02`, `2024/01/02-title`.
IN_PATH = re.compile(r"(?:^|(?<=/))(\d{4})([-_/])(\d{1,2})\2(\d{1,2})(?=[-_/. ]|$)")


def parse(value: Any) -> datetime | None:
    """Return a value of front matter as a UTC time, or None if it is no readable date.

    Accepts dates, texts, digits (20240102), Unix seconds or milliseconds, and an object with the
    member `date` or `created`. A time without a zone is UTC; 01/02/2024 is 2 January.
    """
    if isinstance(value, dict):  # Docusaurus: `last_update: {date: …}`.
        value = value.get("date") or value.get("created")
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime.combine(value, time())
    try:
        if isinstance(value, str):
            value = _from_text(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            value = _from_number(value)
        if not isinstance(value, datetime):
            return None
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)
    except (KeyError, OverflowError, ValueError):
        return None


def guess(value: Any) -> str | None:
    """Return what `parse` assumes about a value, or None if the value is unambiguous."""
    is_year = isinstance(value, int) and value < 10_000
    text = str(value).strip() if is_year or isinstance(value, str) else ""
    if AMBIGUOUS.match(text):
        return "a date such as 01/02/2024, read as month/day/year"
    return "a date without a day, read as the first" if INCOMPLETE.fullmatch(text) else None


def date_in_path(path: str) -> datetime | None:
    """Return the last date in a path such as `blog/2024-01-02-title/index.md`, or None."""
    for year, _, month, day in reversed(IN_PATH.findall(path)):
        try:
            return datetime(int(year), int(month), int(day), tzinfo=UTC)
        except ValueError:
            continue
    return None


def _from_text(text: str) -> datetime | None:
    if len(text) > LONGEST_DATE:
        return None
    text = " ".join(text.translate(CJK).strip("<>[] \t\r\n").split())
    if text.isascii() and text.isdigit():
        return _from_number(int(text))
    try:
        return datetime.fromisoformat(BEFORE_ZONE.sub("", text))
    except ValueError:
        words = " ".join(WEEKDAY.sub("", text).split())
        text = YEAR_LAST.sub(r"\1 \3 \2", words)
    days = (form.match(text) for form in FORMS)
    times = (_time(day, text[day.end() :]) for day in days if day)
    return next((time for time in times if time), None)


def _time(day: re.Match[str], rest: str) -> datetime | None:
    """Return the time of a day and the text after it, or None. Raises KeyError, ValueError."""
    parts = day.groupdict()
    midnight = datetime(int(parts["year"]), _month(parts), int(parts.get("day") or 1), tzinfo=UTC)
    if not rest:
        return midnight
    clock = TIME.match(rest)
    zone = ZONE.fullmatch(rest, clock.end()) if clock else None
    if clock is None or (zone is None and clock.end() < len(rest)):
        return None
    hour = int(clock["hour"])
    if clock["half"]:
        hour = hour % 12 + 12 * (clock["half"].lower() == "p")
    return midnight.replace(
        hour=hour,
        minute=int(clock["minute"]),
        second=int(clock["second"] or 0),
        microsecond=int((clock["fraction"] or "0").ljust(6, "0")[:6]),
        tzinfo=_zone(zone["offset"], zone["name"]) if zone else UTC,
    )


def _month(parts: dict[str, str]) -> int:
    """Return the number of a month; 0, which is invalid, for an unknown name."""
    name = parts.get("name")
    if not name:
        return int(parts.get("month") or 1)
    matches = [number for number, month in enumerate(MONTHS, 1) if month.startswith(name.lower())]
    return matches[0] if matches else 0


def _zone(offset: str | None, name: str | None) -> timezone:
    """Return the zone of an offset, or of a name. Raises KeyError."""
    if offset:
        digits = offset[1:].replace(":", "").ljust(4, "0")
        delta = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
        return timezone(-delta if offset[0] == "-" else delta)
    return timezone(timedelta(hours=ZONES[name.lower()])) if name else UTC


def _from_number(number: float) -> datetime | None:
    """Return the time of digits such as 20240102, else of Unix seconds or a fraction of them."""
    digits = str(int(number))
    for compact in _compact(digits):
        return compact
    if not 100_000_000 <= number < 10**19:
        return None
    # 12 and 13 digits are milliseconds, 16 microseconds, 19 nanoseconds.
    return datetime.fromtimestamp(number / 1_000 ** max((len(digits) - 9) // 3, 0), UTC)


def _compact(digits: str) -> Iterator[datetime]:
    if len(digits) in COMPACT and int(digits[:4]) in COMPACT_YEARS:
        try:
            yield datetime.strptime(digits, COMPACT[len(digits)]).replace(tzinfo=UTC)
        except ValueError:
            return
