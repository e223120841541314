"""How pages show times, numbers and texts of the organization."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import orjson
from markupsafe import Markup, escape

from orgctx.decisions.findings import visible
from orgctx.decisions.patterns import HIDDEN_CHARACTERS
from orgctx.schemas.text import counted

UNKNOWN = "never"
# The number of characters that are named in a run of hidden characters.
MOST_NAMES = 8
HIDDEN = Markup('<span class="hidden-characters">{}</span>')
# What replaces hidden characters in `visible`.
MARK = re.compile(r"(<\d+ hidden>)")
UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))
TIME = Markup('<time datetime="{0:%Y-%m-%dT%H:%MZ}">{0:%Y-%m-%d %H:%M} UTC</time>')


def time(value: datetime | None) -> str:
    """Return a time in UTC to the minute, `never` for none. A script shows it in local time."""
    return TIME.format(value.astimezone(UTC)) if value else UNKNOWN


def span(seconds: int) -> str:
    """Return a duration in its largest unit, such as `7 days`."""
    unit, size = next(
        ((unit, size) for unit, size in UNITS if seconds >= size and seconds % size == 0), UNITS[-1]
    )
    return counted(seconds // size, unit)


def marked(text: str) -> Markup:
    """Return what `visible` returned; right-to-left letters do not tear its marks apart."""
    parts = MARK.split(text)
    return Markup().join(
        HIDDEN.format(part[1:-1]) if index % 2 else part for index, part in enumerate(parts)
    )


def stored(text: str) -> Markup:
    """Return a stored text whose hidden characters are replaced by their names."""
    parts, end = [], 0
    for match in HIDDEN_CHARACTERS.finditer(text):
        if match["hidden"]:
            names = " ".join(f"U+{ord(letter):04X}" for letter in match[0][:MOST_NAMES])
            more = "" if len(match[0]) <= MOST_NAMES else f" and {len(match[0]) - MOST_NAMES} more"
            parts += [escape(text[end : match.start()]), HIDDEN.format(names + more)]
            end = match.end()
    return Markup().join([*parts, escape(text[end:])])


def split_units(text: str, units: int) -> tuple[str, str]:
    """Split a text before this many UTF-16 code units, without splitting a character."""
    before = text.encode("utf-16-le")[: 2 * max(units, 0)].decode("utf-16-le", "ignore")
    return before, text[len(before) :]


def json(value: Any) -> str:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode() if value else ""


FILTERS: dict[str, Callable[..., Any]] = {
    "time": time, "count": counted, "span": span, "stored": stored, "visible": visible,
    "marked": marked, "json": json,
}  # fmt: skip
