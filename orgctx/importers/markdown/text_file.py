"""Read text files: the format, the front matter and the content."""

from orgctx.importers.decoding import decoded
from orgctx.importers.folder.files import File
from orgctx.importers.formats import MAX_FILE_BYTES, TEXTS
from orgctx.importers.markdown.front_matter import (
    BrokenFrontMatter,
    FrontMatter,
    header_fields,
    split,
)
from orgctx.importers.sandbox import TookTooLong, time_limit


def format_of(entry: File) -> str | None:
    """Return the content format of a file, or None if the type is not supported."""
    format_ = TEXTS.get(entry.suffix)
    return format_.content_format if format_ else None


def read(entry: File) -> tuple[FrontMatter, str]:
    """Return the front matter and the content of a file.

    Formats other than Markdown keep their header fields in the content. Raises OSError,
    BrokenFrontMatter, and ValueError with the reason.
    """
    text = read_plain(entry)
    if format_of(entry) == "markdown":
        return split(text)
    front, _ = split(text, is_markdown=False)
    return FrontMatter({**header_fields(text), **front.members}), text


def read_front_matter(entry: File) -> FrontMatter | None:
    """Return the front matter of a file, or None if the file cannot be read."""
    try:
        with time_limit():
            return read(entry)[0] if format_of(entry) else FrontMatter({})
    except (OSError, ValueError, BrokenFrontMatter, TookTooLong):
        return None


def read_plain(entry: File) -> str:
    """Return the text of a file of any type. Raises OSError, and ValueError with the reason."""
    return decoded(entry.content(MAX_FILE_BYTES))
