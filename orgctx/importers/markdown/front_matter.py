"""Members of front matter and their values.

Front matter is untrusted, so size, depth and aliases are checked before a value is built.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import yaml

from orgctx.importers.markdown import dates
from orgctx.importers.markdown.flags import plain_name

MAX_LENGTH = 64 * 1024  # characters
MOST_DEPTH = 32
# An alias counts as all values that it stands for, because merge keys copy them.
MOST_VALUES = 20_000
# Parsing a sexagesimal number takes quadratic time.
LONGEST_WORD = 4_096
MOST_WORDS = 100
FALSE_WORDS = ("false", "no", "off", "0", "n", "f", "never", "")

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
FIELD = re.compile(r"(?::|#\+|\.\. )([A-Za-z][\w-]{0,60}):(?: (.{0,2000}))?$")


class BrokenFrontMatter(Exception):
    """The front matter cannot be parsed, or is too large."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Members by normalized name, because generators accept several spellings."""

    members: dict[str, Any]

    def get(self, *names: str) -> Any:
        """Return the first of these members that is present, or None."""
        return next((self.members[n] for n in names if self.members.get(n) is not None), None)

    def text(self, name: str) -> str | None:
        """Return a member as one line of text, or None."""
        return text_of(self.members.get(name))

    def flag(self, name: str) -> bool | None:
        """Return whether a member is true; None if it is absent.

        Values are false only if they are unambiguous, so that `draft: "yes"` publishes nothing.
        """
        value = self.members.get(name)
        if value is None:
            return None
        if isinstance(value, str):
            return value.strip().lower() not in FALSE_WORDS
        return value is not False and value != 0

    def time_of(self, *names: str) -> datetime | None:
        """Return the first of these members that is a time; without a zone it is UTC."""
        return next((value for n in names if (value := dates.parse(self.members.get(n)))), None)


def read_yaml(text: str, loader: Any = LOADER) -> Any:
    """Parse YAML after checking its events, before any value is built.

    Raises BrokenFrontMatter, and whatever the loader's constructors raise.
    """
    try:
        _check_events(yaml.parse(text, Loader=loader))
        return yaml.load(text, Loader=loader)  # noqa: S506
    except yaml.YAMLError as error:
        raise BrokenFrontMatter(f"its front matter is not YAML{_line(error)}") from None


def _check_events(events: Iterable[Any]) -> None:
    sizes: dict[str, int] = {}
    stack: list[tuple[str | None, int]] = []  # the anchor and start of each open collection
    count = 0
    for event in events:
        # An alias inside the collection that it names stands for more than any limit.
        is_alias = isinstance(event, yaml.AliasEvent)
        count += sizes.get(event.anchor, MOST_VALUES) if is_alias else 1
        if isinstance(event, yaml.CollectionStartEvent):
            stack.append((event.anchor, count))
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, start = stack.pop()
            sizes |= {anchor: count - start} if anchor else {}
        elif isinstance(event, yaml.ScalarEvent):
            sizes |= {event.anchor: 1} if event.anchor else {}
            if not event.style and _is_long_word(event.value):
                raise BrokenFrontMatter(
                    f"its front matter has a word of more than {LONGEST_WORD:,} characters"
                )
        if len(stack) > MOST_DEPTH:
            raise BrokenFrontMatter(f"its front matter is nested deeper than {MOST_DEPTH} levels")
        if count > MOST_VALUES:
            raise BrokenFrontMatter(f"its front matter has more than {MOST_VALUES:,} values")


def _is_long_word(value: str) -> bool:
    return len(value) > LONGEST_WORD and " " not in value


def _line(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    return f": line {mark.line + 1}" if mark else ""


def plain_members(members: dict[Any, Any]) -> dict[str, Any]:
    """Normalize names; members whose name is not a text are left out."""
    return {plain_name(name): value for name, value in members.items() if isinstance(name, str)}


def header_fields(text: str) -> dict[str, Any]:
    """Parse header fields: `:name: value` in AsciiDoc and reStructuredText, `#+name:` in Org."""
    matches = (FIELD.match(line) for line in text[:MAX_LENGTH].splitlines()[:MOST_WORDS])
    return plain_members(
        {f[1].removeprefix("page-"): (f[2] or "true").strip() for f in matches if f}
    )


def texts_of(value: Any) -> list[str]:
    """Return the texts of a member, which is a text or a list of texts."""
    values = value if isinstance(value, list) else [value]
    return [text for item in values[:MOST_WORDS] if (text := text_of(item))]


def text_of(value: Any) -> str | None:
    """Return a scalar as one line of text, or None for other values."""
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return None
    try:
        return " ".join(str(value).replace("\0", "").split()) or None
    except ValueError:  # An integer with more digits than Python converts.
        return None


def visibility_of(front: FrontMatter, default: str) -> str:
    """Return public or team. Raises BrokenFrontMatter for other values, which may mean secret."""
    value = front.members.get("visibility")
    if value is None:
        return default
    if value in ("public", "team"):
        return str(value)
    raise BrokenFrontMatter("visibility in its front matter must be public or team")
