"""Text of an export: a string, or an array of strings and of objects with a `text`."""

from __future__ import annotations

from typing import Any


class Unfit(Exception):
    """A member of a message has a value that Telegram Desktop does not write."""

    def __init__(self, member: str, rule: str) -> None:
        super().__init__(f"{member} {rule}")


def flat_text(value: Any, member: str) -> str:
    """The plain text, formatting left out, and NUL, which nothing can store."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value.replace("\0", "") if "\0" in value else value
    if not isinstance(value, list):
        raise Unfit(member, "must be a string or an array")
    return "".join([_part(part, member) for part in value]).replace("\0", "")


def _part(part: Any, member: str) -> str:
    text = part.get("text") if isinstance(part, dict) else part
    if not isinstance(text, str):
        raise Unfit(member, "must hold strings and objects with a text")
    return text
