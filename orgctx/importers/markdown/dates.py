"""Read the dates that site generators and note programs write.

Text is never completed from today's date: what matches no known form is unreadable.
"""

import re
from contextlib import suppress
from datetime import UTC, date, datetime, time
from email.utils import parsedate_to_datetime
from typing import Any

LONGEST_DATE = 100  # characters
# A day with the year first, such as `2024/1/2 10:00` and `<2024-01-02 Tue 10:00>` of Org.
DAY = re.compile(
    r"[<\[]?(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)(?: [^\W\d_]{1,20}\.?(?=[ >\]]))?([^>\]]*)"
)
# The space in `2026-01-31 08:00:00 +0100`, as Ruby writes times, and ` UTC` of Nikola.
BEFORE_ZONE = re.compile(r"(?<=\d) (?:UTC)?(?=[+-]\d|Z)|(?<=\d) UTC$")
RFC_2822 = re.compile(
    r"(?:[a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} \d\d:\d\d(?::\d\d)? \S+", re.IGNORECASE
)
# With the name of the month, after commas and ordinals are removed.
NOISE = re.compile(r",|(?<=\d)(?:st|nd|rd|th)\b")
WRITTEN = ("%d %b %Y", "%d %B %Y", "%b %d %Y", "%B %d %Y")
# Formats of digits such as 20240102, by their number.
COMPACT = {8: "%Y%m%d", 12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}
COMPACT_YEARS = range(1900, 3000)
# A date in a path: `2024-01-02-title`, `2024_01_02`, `2024/01/02-title`.
IN_PATH = re.compile(r"(?:^|(?<=/))(\d{4})([-_/])(\d{1,2})\2(\d{1,2})(?=[-_/. ]|$)")


def parse(value: Any) -> datetime | None:
    """Return a value of front matter as a UTC time, or None if it is not a readable date.

    Accepts ISO 8601, also with other marks between the numbers, RFC 2822, the forms of WRITTEN,
    digits (20240102), Unix seconds or milliseconds, and an object with the member `date` or
    `created`. A time without a zone is UTC.
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
    except (IndexError, OverflowError, ValueError):
        return None


def date_in_path(path: str) -> datetime | None:
    """Return the last date in a path such as `blog/2024-01-02-title/index.md`, or None."""
    for year, _, month, day in reversed(IN_PATH.findall(path)):
        with suppress(ValueError):
            return datetime(int(year), int(month), int(day), tzinfo=UTC)
    return None


def _from_text(text: str) -> datetime | None:
    if len(text) > LONGEST_DATE:
        return None
    text = " ".join(text.split())
    if text.isascii() and text.isdigit():
        return _from_number(int(text))
    if RFC_2822.fullmatch(text):
        return parsedate_to_datetime(text)
    for written in WRITTEN:
        with suppress(ValueError):
            return datetime.strptime(NOISE.sub("", text), written)
    if day := DAY.match(text):
        text = "{}-{:0>2}-{:0>2}{}".format(*day.groups())
    return datetime.fromisoformat(BEFORE_ZONE.sub("", text))


def _from_number(number: float) -> datetime | None:
    """Return the time of digits such as 20240102, else of Unix seconds or a fraction of them."""
    digits = str(int(number))
    if len(digits) in COMPACT and int(digits[:4]) in COMPACT_YEARS:
        with suppress(ValueError):
            return datetime.strptime(digits, COMPACT[len(digits)]).replace(tzinfo=UTC)
    if not 100_000_000 <= number < 10**19:
        return None
    # 12 and 13 digits are milliseconds, 16 microseconds, 19 nanoseconds.
    return datetime.fromtimestamp(number / 1_000 ** max((len(digits) - 9) // 3, 0), UTC)
