"""What stands between `---` at the head of a document, read as safe YAML."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from typing import Any

import yaml
from frontmatter.default_handlers import YAMLHandler

LONGEST = 64 * 1024
CREATED = ("created", "created_at", "createdAt", "date", "published")
UPDATED = ("updated", "updated_at", "updatedAt", "lastmod", "last_updated", "modified")

_handler = YAMLHandler()


class BrokenFrontMatter(Exception):
    """It is no YAML, or larger than anyone writes by hand."""


def split(text: str) -> tuple[dict[str, Any], str]:
    """The front matter and what follows it; the text is otherwise left as it is.

    A text that merely begins with a rule has none. Raises BrokenFrontMatter.
    """
    if not _handler.detect(text):
        return {}, text
    try:
        front, content = _handler.split(text)
    except ValueError:
        return {}, text
    if len(front) > LONGEST:
        raise BrokenFrontMatter(f"its front matter is longer than {LONGEST >> 10} KiB")
    try:
        members = _handler.load(front)
    except yaml.YAMLError as error:
        raise BrokenFrontMatter(f"its front matter is not YAML{_line(error)}") from None
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        # PyYAML's constructors trust a tag such as !!bool to stand before what it names.
        raise BrokenFrontMatter("its front matter holds a value that cannot be read") from None
    if not isinstance(members, dict):
        return {}, text
    return members, content.lstrip("\r\n")


def _line(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    return f": line {mark.line + 1}" if mark else ""


def text_of(members: dict[Any, Any], name: str) -> str | None:
    """A member as one line of text; null if it has none."""
    value = members.get(name)
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return None
    try:
        return " ".join(str(value).replace("\0", "").split()) or None
    except ValueError:  # An integer of more digits than Python writes.
        return None


def is_unpublished(members: dict[Any, Any]) -> bool:
    return _flag(members, "publish") is False or _flag(members, "draft") is True


def visibility_of(members: dict[Any, Any], default: str) -> str:
    """public or team. Raises BrokenFrontMatter for other words, which may well mean secret."""
    value = members.get("visibility")
    if value is None:
        return default
    if value in ("public", "team"):
        return str(value)
    raise BrokenFrontMatter("visibility in its front matter must be public or team")


def _flag(members: dict[Any, Any], name: str) -> Any:
    """Quoted words count too: a draft must not be published for a pair of quotes."""
    value = members.get(name)
    words = {"true": True, "yes": True, "false": False, "no": False}
    return words.get(value.strip().lower()) if isinstance(value, str) else value


def instant_of(members: dict[Any, Any], names: tuple[str, ...]) -> datetime | None:
    """The first of the members that is a time; without a zone it is UTC."""
    return next((at for name in names if (at := _instant(members.get(name)))), None)


def _instant(value: Any) -> datetime | None:
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime.combine(value, time())
    if not isinstance(value, datetime):
        return None
    try:
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)
    except (OverflowError, ValueError):
        return None
