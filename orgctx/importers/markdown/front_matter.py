"""Parse front matter: YAML between `---`, TOML between `+++`, or JSON.

Front matter is untrusted, so size, depth and aliases are checked before a value is built.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import yaml

from orgctx.importers.markdown import dates

# In characters.
MAX_LENGTH = 64 * 1024
MOST_DEPTH = 32
MOST_EVENTS = 20_000
# Each alias may double what a merge key copies.
MOST_ALIASES = 8
# Parsing a sexagesimal number takes quadratic time.
LONGEST_WORD = 4_096
MOST_WORDS = 100
# Parsing a dotted key of TOML takes quadratic time.
MOST_DOTS = 200
FALSE_WORDS = ("false", "no", "off", "0", "n", "f", "never", "")

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
OPENS = re.compile(r"\s*?^(---|\+\+\+)[ \t]*\r?\n", re.MULTILINE)
CLOSES = {
    "---": re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.MULTILINE),
    "+++": re.compile(r"^\+\+\+[ \t]*(?:\r?\n|\Z)", re.MULTILINE),
}
FIELD = re.compile(r"(?::|#\+|\.\. )([A-Za-z][\w-]{0,60}):(?: (.{0,2000}))?$")
OPENS_JSON = re.compile(r"\s*\{\s*(?:\"|\}\s*$)", re.MULTILINE)


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


def split(text: str) -> tuple[FrontMatter, str]:
    """Return the front matter and the text after it.

    A text that begins with a horizontal rule has no front matter. Front matter after empty lines is
    parsed, as some generators do, but is not removed from the text. Raises BrokenFrontMatter.
    """
    front, parse, end = _find(text)
    if parse is None:
        return FrontMatter({}), text
    if len(front) > MAX_LENGTH:
        raise BrokenFrontMatter(f"its front matter exceeds {MAX_LENGTH >> 10} KiB")
    try:
        members = parse(front) if front.strip() or parse is not _yaml else {}
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        # PyYAML's constructors assume that the value after a tag such as !!bool is valid.
        raise BrokenFrontMatter("its front matter contains an invalid value") from None
    if not isinstance(members, dict):
        return FrontMatter({}), text
    content = text if text[0].isspace() else text[end:].lstrip("\r\n")
    return FrontMatter(plain_members(members)), content


def _find(text: str) -> tuple[str, Callable[[str], Any] | None, int]:
    """Return the front matter, its parser (None without front matter) and its end offset."""
    start = text[: MAX_LENGTH * 2]
    if opening := OPENS.match(start):
        closing = CLOSES[opening[1]].search(text, opening.end())
        if closing is None:
            return "", None, 0
        front = text[opening.end() : closing.start()]
        return front, _yaml if opening[1] == "---" else _toml, closing.end()
    if OPENS_JSON.match(start):
        return _find_json(text, len(start) - len(start.lstrip()))
    return "", None, 0


def _find_json(text: str, start: int) -> tuple[str, Callable[[str], Any], int]:
    try:
        members, end = json.JSONDecoder().raw_decode(text[: start + MAX_LENGTH], start)
    except (ValueError, RecursionError):
        raise BrokenFrontMatter(
            f"its front matter is not JSON, or exceeds {MAX_LENGTH >> 10} KiB"
        ) from None
    return "", lambda _: members, end


def _toml(front: str) -> Any:
    if any(line.count(".") > MOST_DOTS for line in front.splitlines()):
        raise BrokenFrontMatter(f"its front matter has a line with more than {MOST_DOTS} dots")
    try:
        return tomllib.loads(front.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise BrokenFrontMatter(f"its front matter is not TOML: {error}") from None


def _yaml(front: str) -> Any:
    return read_yaml(front)


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
    depth = aliases = 0
    for number, event in enumerate(events):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        aliases += isinstance(event, yaml.AliasEvent)
        if depth > MOST_DEPTH:
            raise BrokenFrontMatter(f"its front matter is nested deeper than {MOST_DEPTH} levels")
        if aliases > MOST_ALIASES:
            raise BrokenFrontMatter(f"its front matter has more than {MOST_ALIASES} aliases")
        if number > MOST_EVENTS:
            raise BrokenFrontMatter(f"its front matter has more than {MOST_EVENTS:,} values")
        if isinstance(event, yaml.ScalarEvent) and not event.style and _is_long_word(event.value):
            raise BrokenFrontMatter(
                f"its front matter has a word of more than {LONGEST_WORD:,} characters"
            )


def _is_long_word(value: str) -> bool:
    return len(value) > LONGEST_WORD and " " not in value


def _line(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    return f": line {mark.line + 1}" if mark else ""


def plain_members(members: dict[Any, Any]) -> dict[str, Any]:
    """Normalize names: `publishDate`, `publish_date` and `Publish-Date` are equal."""
    return {
        name.lower().replace("_", "").replace("-", ""): value
        for name, value in members.items()
        if isinstance(name, str)
    }


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
