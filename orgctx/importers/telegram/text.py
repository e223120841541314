"""Text in an export: a string, or an array of strings and objects with a `text`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

LONGEST_NAME = 512
LONGEST_TEXT = 64 * 1024


class Unfit(Exception):
    """A member of a message has a value that Telegram Desktop does not write."""

    def __init__(self, member: str, rule: str) -> None:
        super().__init__(f"{member} {rule}")


def flat_text(value: Any, member: str) -> str:
    """The plain text without formatting and NUL, which PostgreSQL cannot store."""
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


def checked_text(text: str, member: str) -> str | None:
    """The text, or null if there is none. Telegram's own limit is far lower than this one."""
    if len(text.encode(errors="surrogatepass")) > LONGEST_TEXT:
        raise Unfit(member, f"must be of at most {LONGEST_TEXT >> 10} KiB")
    return text or None


def cut(name: str, what: str, note: Callable[[str], object]) -> str:
    """Cut a name to the length that the load format allows, and call `note` if it was cut."""
    if len(name) <= LONGEST_NAME:
        return name
    note(f"{what} cut to {LONGEST_NAME} characters")
    return name[:LONGEST_NAME]
