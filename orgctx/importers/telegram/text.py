"""Read the text of a message: a string, or an array of strings and objects with a `text`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

LONGEST_NAME = 512
LONGEST_TEXT = 64 * 1024


class InvalidMessage(Exception):
    """A member of a message has an invalid value."""

    def __init__(self, member: str, rule: str) -> None:
        super().__init__(f"{member} {rule}")


def flat_text(value: Any, member: str) -> str:
    """Return the plain text without formatting or NUL, which PostgreSQL cannot store."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value.replace("\0", "") if "\0" in value else value
    if not isinstance(value, list):
        raise InvalidMessage(member, "must be a string or an array")
    return "".join([_part(part, member) for part in value]).replace("\0", "")


def _part(part: Any, member: str) -> str:
    text = part.get("text") if isinstance(part, dict) else part
    if not isinstance(text, str):
        raise InvalidMessage(member, "must contain strings and objects with a text")
    return text


def checked_text(text: str, member: str) -> str | None:
    """Return the text, or None if it is empty. Telegram's own limit is far lower than this one."""
    if len(text.encode(errors="surrogatepass")) > LONGEST_TEXT:
        raise InvalidMessage(member, f"must have at most {LONGEST_TEXT >> 10} KiB")
    return text or None


def cut(name: str, label: str, on_cut: Callable[[str], object]) -> str:
    """Cut a name to the length that the load format allows, and report that with `on_cut`."""
    if len(name) <= LONGEST_NAME:
        return name
    on_cut(f"{label} cut to {LONGEST_NAME} characters")
    return name[:LONGEST_NAME]
