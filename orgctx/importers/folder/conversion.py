"""Convert a file to documents, inside the sandbox, and what a format's function returns."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO

from orgctx.importers.folder.files import opened
from orgctx.importers.formats import BY_SUFFIX, MIB, Format

LONGEST_TEXT = 64 * MIB
# A file of several documents is converted in parts, each of about this size or time.
PART_LENGTH = 8 * MIB
PART_SECONDS = 20
# Marks text whose color is that of its background, which a scan before an approval reports.
FAINT, FAINT_REASON = "[in the color of its background: {}]", "text in the color of its background"
EMPTY_LINES = re.compile(r"\n{3,}")


class ConversionError(Exception):
    """The file cannot be converted; the message says why."""


class HeldBack(Exception):
    """The file is a draft or private; the message is what its front matter says."""


@dataclass(slots=True)
class Converted:
    """A document.

    key: identifies one of several documents of a file. error: why this one cannot be converted.
    reason: why this one is left out.
    """

    content: str = ""
    title: str = ""
    created: float | datetime | None = None  # Unix seconds, or a time; None if unknown
    updated: float | datetime | None = None
    content_format: str = "markdown"
    key: str = ""
    error: str = ""
    reason: str = ""
    # Parts that are left out, and defects that are repaired, by reason.
    skipped: Counter[str] = field(default_factory=Counter)
    repaired: Counter[str] = field(default_factory=Counter)
    visibility: str | None = None  # None: the default of its kind
    is_archived: bool = False
    is_draft: bool = False


def seconds(text: str | None) -> float | None:
    """Parse an ISO 8601 time; None if it is not one. Times without a zone are read as UTC."""
    try:
        time = datetime.fromisoformat((text or "").strip())
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def convert(request: dict[str, Any]) -> dict[str, Any]:
    """Convert a file, or a part of it. Raises ConversionError.

    Args:
        request: `folder`, and `path` of the file below it; its `suffix`, a key of BY_SUFFIX;
            `start`, where to begin (0 or `next` of the part before); `keys_only`, to leave out
            texts.

    Returns:
        `documents`, each a Converted, and `next`, None after the last part.
    """
    format_ = BY_SUFFIX[request["suffix"]]
    documents: list[Converted] = []
    length, deadline = 0, monotonic() + PART_SECONDS
    with opened(Path(request["folder"]), request["path"]) as file:
        if file.seek(0, 2) > format_.max_bytes:
            raise ConversionError(f"exceeds {format_.max_bytes >> 20:,} MiB")
        file.seek(0)
        for document, position in _convert(format_, file, request["start"]):
            length += len(document.content)
            if request["keys_only"]:
                document = Converted(key=document.key)
            documents.append(_clean(document))
            if length > PART_LENGTH or monotonic() > deadline:
                return {"documents": documents, "next": position}
    return {"documents": documents, "next": None}


def _convert(format_: Format, file: BinaryIO, start: int) -> Iterator[tuple[Converted, int | None]]:
    function = format_.load()
    if format_.holds_several:
        yield from function(file, start)
    else:
        try:
            yield function(file.read()), None
        except HeldBack as error:
            yield Converted(reason=f"not published: {error}"), None


def _clean(document: Converted) -> Converted:
    text = document.content.replace("\0", "").encode(errors="replace").decode()
    if len(text) > LONGEST_TEXT:
        raise ConversionError(f"contains more than {LONGEST_TEXT >> 20} MiB of text")
    document.content = EMPTY_LINES.sub("\n\n", text).strip() + "\n"
    title = document.title.replace("\0", "").encode(errors="replace").decode()
    document.title = " ".join(title.split())
    return document
