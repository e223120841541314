"""Read text files: the format, the front matter and the content."""

from __future__ import annotations

from orgctx.importers.folder.walk import Entry
from orgctx.importers.markdown.blocks import split
from orgctx.importers.markdown.formats import FORMATS
from orgctx.importers.markdown.front_matter import BrokenFrontMatter, FrontMatter, header_fields
from orgctx.importers.time_limit import TookTooLong, time_limit

MAX_FILE_BYTES = 64 * 1024 * 1024
BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"


def format_of(entry: Entry) -> str | None:
    """Return the content format of a file, or None if the type is not supported."""
    return FORMATS.get(entry.location.suffix.lower())


def read(entry: Entry) -> tuple[FrontMatter, str]:
    """Return the front matter and the content of a file.

    Formats other than Markdown keep their header fields in the content. Raises OSError,
    BrokenFrontMatter, and ValueError with the reason.
    """
    text = _text(entry)
    if format_of(entry) == "markdown":
        return split(text)
    front, _ = split(text, is_markdown=False)
    return FrontMatter({**header_fields(text), **front.members}), text


def read_front_matter(entry: Entry) -> FrontMatter | None:
    """Return the front matter of a file, or None if the file cannot be read."""
    try:
        with time_limit():
            return read(entry)[0] if format_of(entry) else FrontMatter({})
    except (OSError, ValueError, BrokenFrontMatter, TookTooLong):
        return None


def read_plain(entry: Entry) -> str:
    """Return the text of a file of any type. Raises OSError, and ValueError with the reason."""
    return _text(entry)


def decoded(content: bytes) -> str:
    """Decode UTF-8. Raises ValueError with the reason."""
    try:
        text = content.decode().lstrip(BOM)
    except UnicodeDecodeError as error:
        if content.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise ValueError("is UTF-16; save it as UTF-8") from None
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(f"is not UTF-8: byte {error.start}, line {line}") from None
    if "\0" in text:
        raise ValueError(f"contains a NUL character at character {text.index(chr(0))}")
    return text


def _text(entry: Entry) -> str:
    with entry.opened() as file:
        content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise ValueError(f"exceeds {MAX_FILE_BYTES >> 20} MiB")
    return decoded(content)
