"""Read the text of a message: a string, or an array of strings and objects with a `text`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import orjson

LONGEST_NAME = 512
LONGEST_TEXT = 64 * 1024
# Bytes of the longest character in JSON, such as \u0001.
LONGEST_CHARACTER = 6
# A text and the address of its link, if it has one.
Part = tuple[str, str | None]
OnCut = Callable[[str], object]


class InvalidMessage(Exception):
    """A member of a message has an invalid value."""

    def __init__(self, member: str, rule: str) -> None:
        super().__init__(f"{member} {rule}")


def flat_text(value: Any, member: str, *, has_addresses: bool = True) -> str:
    """Return the text without formatting or NUL, which PostgreSQL cannot store.

    has_addresses: whether a link is followed by its address, `text (https://example.com)`, and a
    mention of a person without username by the person's id, `Ada (user7)`.
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value.replace("\0", "") if "\0" in value else value
    if not isinstance(value, list):
        raise InvalidMessage(member, "must be a string or an array")
    parts = [_part(part, member) for part in value]
    if has_addresses and any(address for _, address in parts):
        texts = [_with_address(part, after) for part, after in pairwise([*parts, ("", None)])]
    else:
        texts = [text for text, _ in parts]
    return "".join(texts).replace("\0", "")


def linked_text(value: Any, member: str, on_cut: OnCut) -> str:
    """Return the text with the addresses of links, or without them if it would be too long."""
    linked = flat_text(value, member)
    if not is_too_long(linked):
        return linked
    text = checked_text(flat_text(value, member, has_addresses=False), member)
    on_cut(f"addresses of links left out, because the text would exceed {_LIMIT}")
    return text


def _part(part: Any, member: str) -> Part:
    if isinstance(part, str):
        return part, None
    text = part.get("text") if isinstance(part, dict) else None
    if not isinstance(text, str):
        raise InvalidMessage(member, "must contain strings and objects with a text")
    return text, _address(part)


def _address(part: dict[str, Any]) -> str | None:
    """Return the address of a link, or the id of a person as messages have it in `from_id`."""
    address, number = part.get("href"), part.get("user_id")
    if part.get("type") == "text_link" and isinstance(address, str):
        return address or None
    if part.get("type") == "mention_name" and type(number) is int and number > 0:
        return f"user{number}"
    return None


def _with_address(part: Part, following: Part) -> str:
    """Return the text with its address, once for adjacent parts of one link."""
    (text, address), (_, next_address) = part, following
    if not address or address == next_address or address in text:
        return text
    words = text.rstrip()
    return f"{words} ({address}){text[len(words) :]}"


_LIMIT = f"{LONGEST_TEXT >> 10} KiB"


def is_too_long(text: str) -> bool:
    """Return whether a text exceeds the load format's limit, which is far above Telegram's own."""
    return (
        len(text) * LONGEST_CHARACTER > LONGEST_TEXT and len(orjson.dumps(text)) - 2 > LONGEST_TEXT
    )


def checked_text(text: str, member: str) -> str:
    """Return the text. Raises InvalidMessage if it is too long."""
    if is_too_long(text):
        raise InvalidMessage(member, f"must have at most {_LIMIT}")
    return text


def line(value: Any) -> str | None:
    """Return a string on one line; None if it is empty or no string."""
    return " ".join(value.replace("\0", "").split()) or None if isinstance(value, str) else None


def cut(name: str, label: str, on_cut: OnCut) -> str:
    """Cut a name to the length that the load format allows, and report that with `on_cut`."""
    if len(name) <= LONGEST_NAME:
        return name
    on_cut(f"{label} cut to {LONGEST_NAME} characters")
    return name[:LONGEST_NAME]
