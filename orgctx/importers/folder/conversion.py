"""Convert a file to a document: what a format's function returns, and how the sandbox calls it."""

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from orgctx.importers.formats import MAX_FILE_BYTES, Format
from orgctx.resources.knowledge.segment import MAX_CONTENT_UNITS
from orgctx.schemas.text import utf16_length

EMPTY_LINES = re.compile(r"\n{3,}")


class ConversionError(Exception):
    """The file cannot be converted; the message says why."""


@dataclass(slots=True)
class Facts:
    """What a page of a site says about itself. Addresses are as they stand in the page."""

    address: str = ""  # the canonical one
    language: str = ""
    component: str = ""  # what has versions
    version: str = ""
    edit_link: str = ""
    is_redirect: bool = False
    is_generated: bool = False  # by a program that builds sites
    is_noindex: bool = False


@dataclass(slots=True)
class Converted:
    """A document. reason: why its file holds it back, empty if it does not."""

    content: str = ""
    title: str = ""
    created: float | None = None  # Unix seconds; None if unknown
    updated: float | None = None
    content_format: str = "markdown"
    reason: str = ""
    href: str | None = None
    visibility: str | None = None  # None: the default of its kind
    is_archived: bool = False
    # Parts that are left out, and defects that are repaired, by reason.
    skipped: Counter[str] = field(default_factory=Counter)
    repaired: Counter[str] = field(default_factory=Counter)
    facts: Any = None  # Facts of a web page, or their members


def seconds(value: Any) -> float | None:
    """Parse an ISO 8601 date or time, or a value that reads as one; None if it is not one.

    Times without a zone are read as UTC.
    """
    try:
        time = datetime.fromisoformat(str(value).strip())
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def convert(request: dict[str, Any], content: bytes) -> Converted:
    """Convert a file in the sandbox. request: the members of its Format that decide."""
    return converted(content, Format("", (), **request))


def converted(content: bytes, format_: Format) -> Converted:
    """Convert a file. Raises ConversionError, or an error of a library."""
    if len(content) > MAX_FILE_BYTES:
        raise ConversionError(f"exceeds {MAX_FILE_BYTES >> 20} MiB; split it, or pass --exclude")
    result = format_.load()(content)
    document = result if isinstance(result, Converted) else Converted(content=result)
    text = _storable(document.content)
    if utf16_length(text) > MAX_CONTENT_UNITS:
        raise ConversionError(
            f"contains more than {MAX_CONTENT_UNITS:,} UTF-16 units of text; split it"
        )
    document.content = text if format_.is_text else EMPTY_LINES.sub("\n\n", text).strip() + "\n"
    document.title = " ".join(_storable(document.title).split())
    return document


def _storable(text: str) -> str:
    """Return a text that PostgreSQL stores: without NUL and halves of surrogate pairs."""
    return text.replace("\0", "").encode(errors="replace").decode()
