"""Read the front matter of a file, in YAML or TOML, and whether it holds the file back.

A block that looks like front matter but cannot be read is refused, because it may say that the file
is a draft. Front matter is untrusted, so its size, depth and aliases are checked before a value is
built.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from orgctx.importers.formats import ConversionError, seconds

MAX_LENGTH = 64 * 1024
MOST_DEPTH = 32
OPENING = re.compile(r"\s*?^[ \t]*(---|\+\+\+)[ \t]*\n", re.MULTILINE)
CLOSING = {
    "---": re.compile(r"^[ \t]*(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.MULTILINE),
    "+++": re.compile(r"^[ \t]*\+\+\+[ \t]*(?:\n|\Z)", re.MULTILINE),
}
# A line that names a member, also one without the space that YAML requires.
MEMBER = re.compile(r"[ \t]*\{?[ \t]{0,4}[\"']?[A-Za-z_][\w .-]{0,60}[\"']?[ \t]*[:=]")

HOLD_IF_TRUE = ("draft", "private", "unlisted", "hidden", "internal", "confidential")
HOLD_IF_FALSE = ("published", "publish", "public")
HOLD_IF_STATUS = ("draft", "private")
YES, NO = ("true", "yes", "1"), ("false", "no", "0")
# Normalized names of members that state a date, in the order of preference.
CREATED = ("created", "createdat", "date", "published", "publishedat", "publishdate", "pubdate")
UPDATED = (
    "updated", "updatedat", "lastmod", "lastmodified", "lastmodifiedat", "lastupdated", "modified",
)  # fmt: skip
# Members to append to the text, so that a search finds it.
SEARCHABLE = ("description", "summary", "aliases", "tags", "keywords", "categories")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Members by normalized name: `publishDate`, `publish_date` and `Publish-Date` are equal."""

    members: dict[str, Any]

    def text(self, name: str) -> str:
        return text_of(self.members.get(name))

    def dates(self, *names: str) -> Iterator[float]:
        """Yield the dates that members state, in Unix seconds; 0 is one."""
        dates = (seconds(self.members.get(name)) for name in names)
        return (date for date in dates if date is not None)

    def held_back(self, now: float) -> str:
        """Return what holds the file back; nothing if it is for readers."""
        status = self.text("status").lower()
        reasons = (
            *(f"{name}: true" for name in HOLD_IF_TRUE if self.text(name).lower() in YES),
            *(f"{name}: false" for name in HOLD_IF_FALSE if self.text(name).lower() in NO),
            *(f"status: {word}" for word in HOLD_IF_STATUS if status == word),
            *("a publishDate in the future" for at in self.dates("publishdate") if at > now),
            *("an expiryDate in the past" for at in self.dates("expirydate") if at < now),
        )
        return reasons[0] if reasons else ""

    def visibility(self) -> str | None:
        """Return public, team or None. Raises ConversionError for others, which may mean secret."""
        value: str | None = self.members.get("visibility")
        if value in (None, "public", "team"):
            return value
        raise ConversionError("visibility in its front matter must be public or team")

    def searchable(self, content: str) -> str:
        """Format the searchable members as a list to append to the content."""
        lines = ""
        for name in SEARCHABLE:
            value = self.members.get(name)
            texts = map(text_of, value if isinstance(value, list) else [value])
            if words := [text for text in texts if text and text not in content]:
                lines += f"- {name.capitalize()}: {', '.join(words)}\n"
        before = "\n" if content.endswith("\n") else "\n\n"
        return f"{before}---\n\n{lines}" if lines else ""


def split(text: str) -> tuple[FrontMatter, str]:
    """Return the front matter and the text after it. Raises ConversionError.

    A horizontal rule at the top, which no line with a member follows, is text.
    """
    opening = OPENING.match(text)
    if not opening:
        return FrontMatter({}), text
    closing = CLOSING[opening[1]].search(text, opening.end())
    front = text[opening.end() : closing.start() if closing else opening.end() + MAX_LENGTH + 1]
    lines = [line for line in front[:MAX_LENGTH].split("\n") if line.strip()]
    has_member = any(map(MEMBER.match, lines if closing else lines[:1]))
    try:
        if not closing:
            raise ConversionError("its front matter has no closing line")
        if len(front) > MAX_LENGTH:
            raise ConversionError(f"its front matter exceeds {MAX_LENGTH >> 10} KiB")
        members = _toml(front) if opening[1] == "+++" else _yaml(front)
    except ConversionError:
        if has_member:
            raise
        return FrontMatter({}), text
    return FrontMatter(_normalized(members)), text[closing.end() :].lstrip("\n")


def _normalized(members: dict[Any, Any]) -> dict[str, Any]:
    named: dict[str, Any] = {}
    for key, value in members.items():
        name = str(key).lower().replace("_", "").replace("-", "")
        if name in named:
            raise ConversionError(f"its front matter names {name} twice")
        named[name] = value
    return named


def _toml(front: str) -> dict[str, Any]:
    try:
        return tomllib.loads(front)
    except (ValueError, RecursionError) as error:
        raise ConversionError(f"its front matter is not TOML: {error}") from None


class _Loader(yaml.CSafeLoader):
    """Builds mappings that name no key twice."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        if len(mapping) < len(node.value):
            raise ConversionError("its front matter names a key twice")
        return mapping


def _yaml(front: str) -> dict[Any, Any]:
    try:
        _check(front)
        members = yaml.load(front, Loader=_Loader) if front.strip() else {}  # noqa: S506
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f": line {mark.line + 2}" if mark else ""
        raise ConversionError(f"its front matter is not YAML{place}") from None
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError, KeyError):
        raise ConversionError("its front matter contains an invalid value") from None
    if not isinstance(members, dict):
        raise ConversionError(
            "its front matter is not YAML: a line lacks the space after its colon"
        )
    return members


def _check(front: str) -> None:
    """Raise ConversionError if the values are too deep or have an alias."""
    depth = 0
    for event in yaml.parse(front, Loader=yaml.CSafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if isinstance(event, yaml.AliasEvent):
            raise ConversionError("its front matter has an alias, which is not read")
        if depth > MOST_DEPTH:
            raise ConversionError(f"its front matter has more than {MOST_DEPTH} levels")


def text_of(value: Any) -> str:
    """Return a scalar as one line of text; nothing for other values."""
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str | int | float):
        return ""
    return " ".join(str(value).split())
