"""Read the text of a post: whole, without HTML entities, with the addresses behind t.co."""

from __future__ import annotations

import re
from typing import Any, TypeGuard

import orjson

# The names of a field since and before August 2026.
NOTES = ("note_post", "note_tweet")
LONGEST_TEXT, LONGEST_JSON = 32 * 1024, 128 * 1024
LONGEST_ADDRESS = 2048
ADDRESS = re.compile(r"https?://[^\s\x00-\x20\x7f]+")
SHORT_ADDRESS = re.compile(r"https?://t\.co/[A-Za-z0-9]+", re.ASCII)
ENDS_CUT = re.compile(r"…(\s*https?://t\.co/[A-Za-z0-9]+)?\s*$", re.ASCII)
CUT = "text that ends with … and is probably cut; the page does not include all of it"
NOT_EXPANDED = "t.co address that the page does not expand"
TOO_LONG = "post whose t.co addresses are kept, because it would be too long"


class InvalidPost(Exception):
    """A required field of a post is missing or invalid."""


def either(members: dict[str, Any], names: tuple[str, str]) -> Any:
    """Return the value of the first of two names that is present and not null, or None."""
    return next((members[name] for name in names if members.get(name) is not None), None)


def whole_text(post: dict[str, Any], missing: list[str]) -> str:
    """Return the text of a post. If it is long, `text` is truncated and its note has all of it.

    Adds to `missing` descriptions of what the page lacks.
    """
    note = either(post, NOTES)
    note = note if isinstance(note, dict) and isinstance(note.get("text"), str) else {}
    text = note.get("text") or post.get("text")
    if not isinstance(text, str):
        raise InvalidPost("text must be a string; collect posts with GET /2/users/{id}/mentions")
    text = checked_text(plain_text(text))
    missing += [CUT] * (not note and ENDS_CUT.search(text) is not None)
    return _expanded(text, _addresses(post) | _addresses(note), missing)


def checked_text(text: str) -> str:
    """Return the text. Raises InvalidPost if it is too long."""
    if _is_too_long(text):
        raise InvalidPost(f"text must have at most {LONGEST_TEXT:,} characters")
    return text


def plain_text(text: str) -> str:
    """Return the text without NUL and HTML entities."""
    text = text.replace("\0", "").replace("&lt;", "<").replace("&gt;", ">")
    return text.replace("&amp;", "&")


def is_address(value: Any) -> TypeGuard[str]:
    """Return whether a URL is safe to open: http or https, without control characters."""
    is_short = isinstance(value, str) and len(value) <= LONGEST_ADDRESS
    return is_short and ADDRESS.fullmatch(value) is not None


def _addresses(post: dict[str, Any]) -> dict[str, str]:
    """Return addresses by t.co address. Some posts have only the one after all redirects."""
    entities = post.get("entities")
    urls = entities.get("urls") if isinstance(entities, dict) else None
    known = [url for url in (urls if isinstance(urls, list) else []) if isinstance(url, dict)]
    return {
        url["url"]: address
        for url in known
        if isinstance(url.get("url"), str)
        and is_address(address := either(url, ("expanded_url", "unwound_url")))
    }


def _expanded(text: str, addresses: dict[str, str], missing: list[str]) -> str:
    """Replace t.co addresses, each of which exists once.

    Their positions in entities are not used, because HTML entities and characters outside the
    Basic Multilingual Plane are counted in several ways.
    """
    unknown = [url for url in SHORT_ADDRESS.findall(text) if url not in addresses]
    missing += [NOT_EXPANDED] * len(unknown)
    expanded = SHORT_ADDRESS.sub(lambda match: addresses.get(match[0], match[0]), text)
    if _is_too_long(expanded):
        missing.append(TOO_LONG)
        return text
    return expanded


def _is_too_long(text: str) -> bool:
    # A character takes at most 4 bytes as JSON, except control characters.
    return len(text) > LONGEST_TEXT or len(orjson.dumps(text)) - 2 > LONGEST_JSON
